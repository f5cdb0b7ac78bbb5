package io.rmigate.client.transport;

import io.rmigate.client.config.HttpProxy;
import io.rmigate.protocol.ProtocolViolationException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A TCP connection to the gateway through an HTTP proxy: CONNECT (RFC 9110 §9.3.6) with no login,
 * Basic or Digest, the strongest that the HTTP proxy asks for. Own code, because the JDK's refuses
 * Basic by default and asks the JVM-wide Authenticator for the password.
 *
 * <p>The login is sent only when asked for, and on a new connection: some HTTP proxies close after
 * a 407 although they do not say so, and a connect is rare enough for one more round trip.
 */
final class HttpTunnel {
  /** Without login, with login, and once more with a fresh nonce (RFC 7616 §3.3, stale). */
  private static final int MAX_ATTEMPTS = 3;

  private final HttpProxy proxy;
  private final String authority;
  private final SecureRandom random;

  /**
   * Towards {@code authority}.
   *
   * @param authority {@code host:port} of the gateway, an IPv6 address in brackets
   */
  HttpTunnel(HttpProxy proxy, String authority, SecureRandom random) {
    this.proxy = proxy;
    this.authority = authority;
    this.random = random;
  }

  /** A socket behind which the gateway listens. */
  Socket open(Deadline deadline) throws IOException {
    Optional<String> authorization = Optional.empty();
    for (int attempt = 1; ; attempt++) {
      Socket socket =
          TcpDialer.dial("the HTTP proxy", proxy.host(), proxy.port(), deadline.remaining());
      HttpHead head = null;
      try {
        head = ask(socket, authorization, deadline);
        if (head.status() / 100 == 2) {
          return socket;
        }
      } finally {
        if (head == null || head.status() / 100 != 2) {
          SocketTeardown.close(socket);
        }
      }
      List<HttpChallenge> challenges = HttpChallenge.parse(head.all("proxy-authenticate"));
      boolean again =
          head.status() == 407
              && proxy.login().isPresent()
              && attempt < MAX_ATTEMPTS
              && (authorization.isEmpty() || isStale(challenges));
      if (!again) {
        throw refusal(head, challenges, authorization.isPresent());
      }
      authorization = Optional.of(answer(challenges));
    }
  }

  private HttpHead ask(Socket socket, Optional<String> authorization, Deadline deadline)
      throws IOException {
    String request =
        "CONNECT "
            + authority
            + " HTTP/1.1\r\nHost: "
            + authority
            + "\r\nUser-Agent: "
            + UserAgent.TEXT
            + "\r\n"
            + authorization.map(a -> "Proxy-Authorization: " + a + "\r\n").orElse("")
            + "\r\n";
    SocketGuard guard = SocketGuard.start(socket, deadline.remaining());
    try {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      HttpHead head = HttpHead.read(socket.getInputStream(), proxy.toString());
      if (head.status() / 100 == 2 && head.rest().hasRemaining()) {
        // The gateway speaks only when spoken to: these bytes are somebody else's.
        throw new ProtocolViolationException(
            proxy + ": expected nothing behind its answer to CONNECT, got bytes");
      }
      if (!guard.disarm()) {
        throw new SocketException("closed while the last byte of the answer came");
      }
      return head;
    } catch (IOException e) {
      throw guard.explain(e, "CONNECT at the " + proxy);
    } finally {
      guard.disarm();
    }
  }

  private static boolean isStale(List<HttpChallenge> challenges) {
    return challenges.stream().anyMatch(c -> c.parameter("stale", "").equalsIgnoreCase("true"));
  }

  private String answer(List<HttpChallenge> challenges) throws IOException {
    HttpProxy.Login login = proxy.login().orElseThrow();
    Optional<DigestLogin> digest =
        challenges.stream()
            .flatMap(challenge -> DigestLogin.answering(challenge).stream())
            .max(Comparator.comparingInt(DigestLogin::strength));
    String password = login.password().read();
    if (digest.isPresent()) {
      byte[] cnonce = new byte[16];
      random.nextBytes(cnonce);
      return digest
          .get()
          .authorization(
              login.user(), password, "CONNECT", authority, HexFormat.of().formatHex(cnonce));
    }
    if (challenges.stream().anyMatch(challenge -> challenge.is("Basic"))) {
      byte[] pair = (login.user() + ":" + password).getBytes(StandardCharsets.UTF_8);
      return "Basic " + Base64.getEncoder().encodeToString(pair);
    }
    throw new IOException(
        proxy
            + " wants a login by "
            + offered(challenges)
            + "; rmigate knows Basic and Digest (MD5 or SHA-256 with qop=auth)");
  }

  private IOException refusal(HttpHead head, List<HttpChallenge> challenges, boolean loggedIn) {
    String answered = proxy + " answered " + head.statusLine() + " to CONNECT " + authority;
    return switch (head.status()) {
      case 407 ->
          new IOException(
              loggedIn
                  ? answered
                      + ": it refused the login of user '"
                      + proxy.login().orElseThrow().user()
                      + "' (password: "
                      + proxy.login().orElseThrow().password()
                      + ")"
                  : answered
                      + ": it wants a login ("
                      + offered(challenges)
                      + "); set proxy-user= and proxy-password-file=");
      case 403, 405 ->
          new IOException(
              answered
                  + ": it does not let connections to that host or port through; ask its"
                  + " administrator, or try a gateway on port 443");
      case 500, 502, 503, 504 ->
          new ConnectException(
              answered + ": it could not reach the gateway; is the gateway's name known there?");
      default -> new IOException(answered + " where 200 was expected; is this an HTTP proxy?");
    };
  }

  private static String offered(List<HttpChallenge> challenges) {
    return challenges.isEmpty()
        ? "no scheme named"
        : challenges.stream()
            .map(c -> HttpHead.printable(c.scheme()))
            .distinct()
            .collect(Collectors.joining(", "));
  }
}
