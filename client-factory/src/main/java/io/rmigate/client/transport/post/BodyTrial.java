package io.rmigate.client.transport.post;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.transport.GatewayAccess;
import io.rmigate.client.transport.http.HttpHead;
import io.rmigate.client.transport.http.UserAgent;
import io.rmigate.client.transport.net.Deadline;
import io.rmigate.client.transport.net.DialedSocket;
import io.rmigate.client.transport.net.SocketGuard;
import io.rmigate.client.transport.net.SocketTeardown;
import io.rmigate.client.transport.net.TlsLayer;
import io.rmigate.client.transport.proxy.GatewayDialer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLSocket;

/**
 * One POST to the gateway that it must refuse by its head alone (RFC 9110 §15.5.4, the type of its
 * body is none of the tunnel's). Most of the body is held back: if the answer comes before that is
 * sent, no HTTP proxy on the way collects whole bodies. For the doctor.
 */
public final class BodyTrial {
  private static final int BODY_BYTES = 32 * 1024;
  private static final int FIRST_BYTES = 512;

  private BodyTrial() {}

  /**
   * The result of a trial.
   *
   * @param streamed whether a request passes on before all of it has come; empty without an answer
   * @param date the clock of the server that answered
   * @param certificate of the TLS server, also without an answer; empty over plain HTTP
   * @param status of the answer; 0 without one
   */
  public record Result(
      Optional<Boolean> streamed,
      Optional<Instant> date,
      Optional<X509Certificate> certificate,
      int status) {}

  /**
   * Does it.
   *
   * @param timeout for connecting, and again for the answer; half of that is how long the body is
   *     held back
   * @throws IOException the gateway cannot be reached; the message says what to do
   */
  public static Result run(ClientConfig config, Duration timeout) throws IOException {
    GatewayAccess access =
        new GatewayAccess(
            config.gateways().get(0),
            config,
            new GatewayDialer(config),
            new TlsLayer(config.tls()),
            new SecureRandom());
    DialedSocket dialed = access.dial(Deadline.in(timeout));
    SocketGuard guard = SocketGuard.start(dialed.plain(), timeout.multipliedBy(2));
    try {
      return exchange(access, access.secure(dialed), timeout.dividedBy(2));
    } catch (IOException e) {
      throw guard.explain(e, "a request to " + access.gateway());
    } finally {
      guard.disarm();
      SocketTeardown.close(dialed.plain());
    }
  }

  private static Result exchange(GatewayAccess access, Socket socket, Duration half)
      throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(head(access).getBytes(StandardCharsets.US_ASCII));
    out.write(new byte[FIRST_BYTES]);
    out.flush();
    Optional<X509Certificate> certificate = certificate(socket);
    socket.setSoTimeout((int) Math.max(1, half.toMillis()));
    Optional<HttpHead> answer = answer(socket, access);
    boolean early = answer.isPresent();
    if (!early) {
      out.write(new byte[BODY_BYTES - FIRST_BYTES]);
      out.flush();
      answer = answer(socket, access);
    }
    return new Result(
        answer.map(head -> early),
        answer.flatMap(head -> head.first("date")).flatMap(BodyTrial::instant),
        certificate,
        answer.map(HttpHead::status).orElse(0));
  }

  private static Optional<HttpHead> answer(Socket socket, GatewayAccess access) throws IOException {
    try {
      return Optional.of(HttpHead.read(socket.getInputStream(), access.gateway().toString()));
    } catch (SocketTimeoutException silent) {
      return Optional.empty();
    }
  }

  private static String head(GatewayAccess access) throws IOException {
    return "POST "
        + access.gateway().getRawPath()
        + GatewayAccess.PATH
        + " HTTP/1.1\r\nHost: "
        + access.gateway().getRawAuthority()
        + "\r\nUser-Agent: "
        + UserAgent.TEXT
        + "\r\nContent-Type: text/plain\r\nContent-Length: "
        + BODY_BYTES
        + "\r\nConnection: close\r\n"
        + (access.config().login().isPresent()
            ? "Authorization: " + access.config().login().get().authorization() + "\r\n"
            : "")
        + "\r\n";
  }

  private static Optional<Instant> instant(String date) {
    try {
      return Optional.of(
          DateTimeFormatter.RFC_1123_DATE_TIME.withLocale(Locale.ROOT).parse(date, Instant::from));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private static Optional<X509Certificate> certificate(Socket socket) throws IOException {
    return socket instanceof SSLSocket tls
            && tls.getSession().getPeerCertificates()[0] instanceof X509Certificate certificate
        ? Optional.of(certificate)
        : Optional.empty();
  }
}
