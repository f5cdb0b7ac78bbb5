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
import io.rmigate.protocol.tunnel.Tunnel;
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
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The opening handshake of RFC 6455 §4.1: one GET, and the strict check of what comes back. Every
 * refusal becomes a message that says what to do about it.
 */
public final class WebSocketHandshake {
  /** The link protocol and its version; the gateway echoes it or is not one. */
  static final String SUBPROTOCOL = "rmigate.1";

  /**
   * No hello makes a request longer than that, because servers limit the heads of requests, the
   * usual limit is 8 KiB, and HTTP proxies add headers.
   */
  private static final int MAX_REQUEST_CHARS = 4 * 1024;

  private final URI gateway;
  private final ClientConfig config;
  private final String key;

  /** The frame to be sent with the request; null for none. */
  private final byte[] hello;

  private boolean carriesHello;
  private OptionalLong helloNanos = OptionalLong.empty();

  /**
   * @param hello a frame, at most {@link Tunnel#MAX_EARLY_HELLO_BYTES} long; null for none
   */
  WebSocketHandshake(URI gateway, ClientConfig config, SecureRandom random, byte[] hello) {
    this.gateway = gateway;
    this.config = config;
    this.hello = hello;
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
    byte[] request = request().getBytes(StandardCharsets.US_ASCII);
    long start = System.nanoTime();
    out.write(request);
    out.flush();
    HttpHead head = HttpHead.read(in, gateway.toString());
    long nanos = System.nanoTime() - start;
    if (head.status() != 101) {
      throw head.status() == 200 && head.isWebPage() ? portal(head, in) : refusal(head);
    }
    check(head);
    if (isHelloTaken(head)) {
      helloNanos = OptionalLong.of(Math.max(0, nanos - gatewayNanos(head)));
    }
    return head.rest();
  }

  /**
   * How long the round trip took in which the gateway has taken the hello; empty if it has not
   * taken one. After {@link #shake}.
   */
  OptionalLong helloNanos() {
    return helloNanos;
  }

  private boolean isHelloTaken(HttpHead head) {
    return carriesHello
        && head.all("sec-websocket-protocol").equals(List.of(Tunnel.HELLO_SUBPROTOCOL));
  }

  /** For how long the gateway had the request, most of it for the login; 0 if it does not say. */
  private long gatewayNanos(HttpHead head) throws ProtocolViolationException {
    Optional<String> millis = head.first("rmigate-hello");
    try {
      return millis.isEmpty()
          ? 0
          : TimeUnit.MILLISECONDS.toNanos(Math.max(0, Long.parseLong(millis.get())));
    } catch (NumberFormatException e) {
      throw new ProtocolViolationException(
          gateway
              + ": expected a number of milliseconds as "
              + Tunnel.HELLO_HEADER
              + ", got "
              + LogText.brief(millis.get()));
    }
  }

  private String request() throws IOException {
    String login =
        config.login().isEmpty()
            ? ""
            : "Authorization: " + config.login().get().authorization() + "\r\n";
    if (hello != null) {
      String early = Base64.getUrlEncoder().withoutPadding().encodeToString(hello);
      String request =
          request(
              SUBPROTOCOL + ", " + Tunnel.HELLO_SUBPROTOCOL,
              "rmigate", // the hello says which
              login + Tunnel.HELLO_HEADER + ": " + early + "\r\n");
      if (request.length() <= MAX_REQUEST_CHARS) {
        carriesHello = true;
        return request;
      }
    }
    return request(SUBPROTOCOL, UserAgent.TEXT, login);
  }

  private String request(String subprotocols, String userAgent, String headers) {
    return "GET "
        + gateway.getRawPath()
        + GatewayAccess.PATH
        + " HTTP/1.1\r\nHost: "
        + gateway.getRawAuthority()
        + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: "
        + key
        + "\r\nSec-WebSocket-Version: "
        + WebSocketProtocol.VERSION
        + "\r\nSec-WebSocket-Protocol: "
        + subprotocols
        + "\r\nUser-Agent: "
        + userAgent
        + "\r\n"
        + headers
        + "\r\n";
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
        isHelloTaken(head) || head.all("sec-websocket-protocol").equals(List.of(SUBPROTOCOL)),
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
