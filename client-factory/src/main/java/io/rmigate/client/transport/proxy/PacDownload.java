package io.rmigate.client.transport.proxy;

import io.rmigate.client.pac.PacScript;
import io.rmigate.client.transport.http.HttpBody;
import io.rmigate.client.transport.http.HttpHead;
import io.rmigate.client.transport.http.UserAgent;
import io.rmigate.client.transport.http.WebPage;
import io.rmigate.client.transport.net.Deadline;
import io.rmigate.client.transport.net.GatewayAddress;
import io.rmigate.client.transport.net.SocketGuard;
import io.rmigate.client.transport.net.SocketTeardown;
import io.rmigate.client.transport.net.TcpDialer;
import io.rmigate.client.transport.net.TlsLayer;
import io.rmigate.protocol.LogText;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * Fetches a PAC file: one GET without redirects, cookies or a login, on a connection of its own
 * that goes through no HTTP proxy. Of https the certificate is judged like a gateway's.
 */
record PacDownload(URI location, TlsLayer tls) {

  /** The text of the file, which may be UTF-8. */
  String fetch(Deadline deadline) throws IOException {
    String host = GatewayAddress.hostOf(location);
    int port = GatewayAddress.portOf(location);
    Socket plain = TcpDialer.dial("the server of the PAC file", host, port, deadline);
    SocketGuard guard = SocketGuard.start(plain, deadline.remaining());
    try {
      Socket top = GatewayAddress.isTls(location) ? tls.handshake(plain, host, port) : plain;
      top.getOutputStream().write(request().getBytes(StandardCharsets.US_ASCII));
      top.getOutputStream().flush();
      return answer(top.getInputStream());
    } catch (IOException e) {
      throw guard.explain(e, "fetching the PAC file " + location);
    } finally {
      guard.disarm();
      SocketTeardown.close(plain);
    }
  }

  private String request() {
    String path = location.getRawPath().isEmpty() ? "/" : location.getRawPath();
    String query = location.getRawQuery() == null ? "" : "?" + location.getRawQuery();
    return "GET "
        + path
        + query
        + " HTTP/1.1\r\nHost: "
        + location.getRawAuthority()
        + "\r\nUser-Agent: "
        + UserAgent.TEXT
        + "\r\nAccept: application/x-ns-proxy-autoconfig, */*\r\nConnection: close\r\n\r\n";
  }

  private String answer(InputStream in) throws IOException {
    HttpHead head = HttpHead.read(in, location.toString());
    if (head.status() != 200) {
      throw new IOException(
          "the PAC file "
              + location
              + " cannot be had: "
              + head.statusLine()
              + head.first("location")
                  .map(to -> ", it is at " + LogText.brief(to) + "? rmigate does not follow")
                  .orElse(""));
    }
    if (head.isWebPage()) {
      throw new IOException(
          "in place of the PAC file "
              + location
              + " came "
              + WebPage.describe(head, in)
              + ": the login page of this network (a captive portal)?");
    }
    HttpBody body = HttpBody.read(head, in, PacScript.MAX_BYTES, location.toString());
    if (!body.whole()) {
      throw new IOException(
          "the PAC file " + location + " is longer than " + PacScript.MAX_BYTES + " bytes, or cut");
    }
    return body.text();
  }
}
