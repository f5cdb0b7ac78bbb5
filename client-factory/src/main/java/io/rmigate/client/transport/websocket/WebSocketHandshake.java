package io.rmigate.client.transport.websocket;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.transport.GatewayAccess;
import io.rmigate.client.transport.GatewayRefusal;
import io.rmigate.client.transport.TransportRefusedException;
import io.rmigate.client.transport.http.HttpHead;
import io.rmigate.client.transport.http.HttpRefusedException;
import io.rmigate.client.transport.http.UserAgent;
import io.rmigate.client.transport.http.WebPage;
import io.rmigate.protocol.LogText;
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
import java.util.Optional;

/**
 * The opening handshake of RFC 6455 §4.1: one GET, and the strict check of what comes back. Every
 * refusal becomes a message that says what to do about it.
 */
public final class WebSocketHandshake {
  /** The link protocol and its version; the gateway echoes it or is not one. */
  static final String SUBPROTOCOL = "rmigate.1";

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
      throw head.status() == 200 && head.isWebPage() ? portal(head, in) : refusal(head);
    }
    check(head);
    return head.rest();
  }

  private String request() throws IOException {
    StringBuilder text =
        new StringBuilder()
            .append("GET " + gateway.getRawPath() + GatewayAccess.PATH + " HTTP/1.1\r\n")
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
              + LogText.brief(String.join(", ", head.all(field)))
              + (head.all(field).isEmpty() ? "none" : "")
              + "; something other than an rmigate gateway answered");
    }
  }

  private IOException portal(HttpHead head, InputStream in) {
    return new HttpRefusedException(
        false,
        head.status(),
        gateway
            + " answered with "
            + WebPage.describe(head, in)
            + ", where 101 Switching Protocols was expected: the login page of this network (a"
            + " captive portal), or of an HTTP proxy? Open "
            + gateway
            + " in a browser");
  }

  /** The failure to report; after some statuses another transport may still work. */
  private IOException refusal(HttpHead head) {
    Optional<String> own =
        switch (head.status()) {
          case 400, 426, 501, 505 ->
              Optional.of(
                  ": the upgrade to WebSocket was refused; does an HTTP proxy or load balancer in"
                      + " front of the gateway pass Upgrade on?");
          default -> Optional.empty();
        };
    IOException refusal =
        new GatewayRefusal(gateway, config, GatewayAccess.PATH)
            .of(head, own, "101 Switching Protocols");
    return switch (head.status()) {
      case 200, 400, 403, 405, 406, 426, 501, 505 ->
          new TransportRefusedException(refusal.getMessage());
      default -> refusal;
    };
  }
}
