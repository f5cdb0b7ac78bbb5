package io.rmigate.client.transport;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.GatewayLogin;
import io.rmigate.protocol.ProtocolViolationException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;

/**
 * The opening handshake of RFC 6455 §4.1: one GET, and the strict check of what comes back. Every
 * refusal becomes a message that says what to do about it.
 */
final class WebSocketHandshake {
  /** The link protocol and its version; the gateway echoes it or is not one. */
  static final String SUBPROTOCOL = "rmigate.1";

  private static final String PATH = "/tunnel";

  private final URI gateway;
  private final ClientConfig config;
  private final String key;

  WebSocketHandshake(URI gateway, ClientConfig config, SecureRandom random) {
    this.gateway = gateway;
    this.config = config;
    byte[] nonce = new byte[16];
    random.nextBytes(nonce);
    this.key = Base64.getEncoder().encodeToString(nonce);
  }

  /**
   * Asks and checks the answer.
   *
   * @return what the gateway sent behind its answer already
   */
  ByteBuffer shake(InputStream in, OutputStream out) throws IOException {
    out.write(request().getBytes(StandardCharsets.US_ASCII));
    out.flush();
    HttpHead head = HttpHead.read(in, gateway.toString());
    if (head.status() != 101) {
      throw new IOException(refusal(head));
    }
    check(head);
    return head.rest();
  }

  private String request() throws IOException {
    StringBuilder text =
        new StringBuilder()
            .append("GET " + gateway.getRawPath() + PATH + " HTTP/1.1\r\n")
            .append("Host: " + gateway.getRawAuthority() + "\r\n")
            .append("Upgrade: websocket\r\n")
            .append("Connection: Upgrade\r\n")
            .append("Sec-WebSocket-Key: " + key + "\r\n")
            .append("Sec-WebSocket-Version: " + WebSocketProtocol.VERSION + "\r\n")
            .append("Sec-WebSocket-Protocol: " + SUBPROTOCOL + "\r\n")
            .append("User-Agent: " + UserAgent.TEXT + "\r\n");
    if (config.login().isPresent()) {
      text.append("Authorization: " + config.login().get().authorization() + "\r\n");
    }
    return text.append("\r\n").toString();
  }

  private void check(HttpHead head) throws ProtocolViolationException {
    require(head.hasToken("upgrade", "websocket"), "Upgrade: websocket", head, "upgrade");
    require(head.hasToken("connection", "upgrade"), "Connection: Upgrade", head, "connection");
    String accept = WebSocketProtocol.acceptOf(key);
    require(
        head.all("sec-websocket-accept").equals(List.of(accept)),
        "Sec-WebSocket-Accept: " + accept,
        head,
        "sec-websocket-accept");
    require(
        head.all("sec-websocket-protocol").equals(List.of(SUBPROTOCOL)),
        "Sec-WebSocket-Protocol: " + SUBPROTOCOL,
        head,
        "sec-websocket-protocol");
    require(
        head.all("sec-websocket-extensions").isEmpty(),
        "no Sec-WebSocket-Extensions, as none were offered",
        head,
        "sec-websocket-extensions");
  }

  private void require(boolean holds, String expected, HttpHead head, String field)
      throws ProtocolViolationException {
    if (!holds) {
      throw new ProtocolViolationException(
          gateway
              + ": expected "
              + expected
              + ", got "
              + HttpHead.printable(String.join(", ", head.all(field)))
              + (head.all(field).isEmpty() ? "none" : "")
              + "; something other than an rmigate gateway answered");
    }
  }

  private String refusal(HttpHead head) {
    String answered = gateway + " answered " + head.statusLine();
    return switch (head.status()) {
      case 301, 302, 303, 307, 308 ->
          answered
              + " and points to "
              + head.first("location").map(HttpHead::printable).orElse("nowhere")
              + "; rmigate does not follow: if that is the gateway, configure its URL";
      case 401 -> answered + ": " + loginTried();
      case 403 ->
          answered
              + ": the login is known but may not use the tunnel ("
              + login()
              + "); the gateway's audit log names the rule";
      case 404 ->
          answered
              + " for "
              + gateway.getPath()
              + PATH
              + ": is the URL that of the gateway's context path, such as https://host/rmigate?";
      case 407 ->
          answered
              + ": an HTTP proxy on the way wants a login although it is not configured; set proxy=, "
              + "proxy-user= and proxy-password-file=";
      case 400, 426, 501, 505 ->
          answered
              + ": the upgrade to WebSocket was refused; does an HTTP proxy or load balancer in front"
              + " of the gateway pass Upgrade on?";
      case 429, 503 ->
          answered
              + ": the gateway is draining, full or not up yet"
              + head.first("retry-after")
                  .map(after -> " (Retry-After: " + HttpHead.printable(after) + ")")
                  .orElse("");
      case 502, 504 ->
          answered + ": a server in front of the gateway could not reach it; is the gateway up?";
      default ->
          answered + " where 101 Switching Protocols was expected; is this an rmigate gateway?";
    };
  }

  private String loginTried() {
    return config.login().isEmpty()
        ? "it wants a login and none is configured; set user= and password-file=, token-file=, or"
            + " keystore= for a client certificate"
        : "it refused " + login() + "; check that login and how the gateway expects it";
  }

  private String login() {
    return config.login().map(GatewayLogin::describe).orElse("no login configured");
  }
}
