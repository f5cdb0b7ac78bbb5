package io.rmigate.client.transport.proxy;

import io.rmigate.client.config.HttpProxy;
import io.rmigate.client.jvm.NoThreadException;
import io.rmigate.client.transport.http.HttpBody;
import io.rmigate.client.transport.http.HttpChallenge;
import io.rmigate.client.transport.http.HttpHead;
import io.rmigate.client.transport.http.HttpRefusedException;
import io.rmigate.client.transport.http.UserAgent;
import io.rmigate.client.transport.http.WebPage;
import io.rmigate.client.transport.net.Deadline;
import io.rmigate.client.transport.net.DialedSocket;
import io.rmigate.client.transport.net.SocketGuard;
import io.rmigate.client.transport.net.SocketTeardown;
import io.rmigate.client.transport.net.TcpDialer;
import io.rmigate.client.transport.net.TlsLayer;
import io.rmigate.protocol.ProtocolViolationException;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A TCP connection through an HTTP proxy: CONNECT (RFC 9110 §9.3.6) with no login, Digest or Basic,
 * in this order. Own code, because the JDK's refuses Basic by default, asks the JVM-wide
 * Authenticator for the password, and speaks no TLS to the proxy. Where nothing of that is offered,
 * or no login is configured, the JDK's has a try with NTLM and Negotiate.
 *
 * <p>The login is sent only when asked for: on the same connection if the HTTP proxy leaves it
 * open, else, or where it turns out to have been closed without a word, on a new one.
 */
final class HttpTunnel {
  /** Attempts: without login, with login, and with a fresh nonce (RFC 7616 §3.3, stale). */
  private static final int MAX_ATTEMPTS = 3;

  /** Far above the page behind a 407. */
  private static final int MAX_BODY_BYTES = 256 * 1024;

  /** A page without an end must not turn a refusal into a timeout. */
  private static final int PAGE_PATIENCE_MILLIS = 1000;

  private final Route route;
  private final HttpProxy proxy;
  private final TunnelEnd end;
  private final String authority;
  private final TlsLayer tls;
  private final ProxyLogin login;

  /**
   * Towards {@code end}.
   *
   * @param route with an HTTP proxy
   * @param tls to the HTTP proxy, if it wants that
   */
  HttpTunnel(Route route, TunnelEnd end, TlsLayer tls, SecureRandom random) {
    this.route = route;
    this.proxy = route.proxy().orElseThrow();
    this.end = end;
    this.authority = end.authority();
    this.tls = tls;
    this.login = new ProxyLogin(proxy, authority, random);
  }

  /** A socket behind which that end listens. */
  DialedSocket open(Deadline deadline) throws IOException {
    Optional<String> authorization = Optional.empty();
    Optional<DialedSocket> open = Optional.empty();
    for (int attempt = 1; ; attempt++) {
      Answer answer = ask(open, authorization, deadline);
      if (answer.isYes()) {
        return answer.connection;
      }
      List<HttpChallenge> challenges = answer.challenges();
      boolean again =
          answer.head.status() == 407
              && login.mayAnswer(challenges)
              && attempt < MAX_ATTEMPTS
              && (authorization.isEmpty() || isStale(challenges));
      Optional<String> next = Optional.empty();
      try {
        if (!again) {
          IOException refusal =
              new ProxyRefusal(proxy, end)
                  .explain(answer.head, answer.page, challenges, authorization.isPresent());
          if (authorization.isEmpty() && JdkTunnel.mayAnswer(proxy, challenges)) {
            return byTheJdk(refusal, deadline);
          }
          throw refusal;
        }
        next = Optional.of(login.answer(challenges));
      } finally {
        if (next.isEmpty() || !answer.staysOpen) {
          answer.connection.close();
        }
      }
      authorization = next;
      open = answer.staysOpen ? Optional.of(answer.connection) : Optional.empty();
    }
  }

  private DialedSocket byTheJdk(IOException refusal, Deadline deadline) throws IOException {
    try {
      Socket socket = new JdkTunnel(proxy, end.host(), end.port()).open(deadline);
      return new DialedSocket(socket, socket, route.proxy());
    } catch (IOException e) {
      throw joined(refusal.getMessage() + "; the JDK: " + e.getMessage(), e);
    }
  }

  /** An exception of the kind of {@code e}, which shows whether another way may do better. */
  private static IOException joined(String message, IOException e) {
    IOException joined =
        e instanceof ProxyRefusedException
            ? new ProxyRefusedException(message)
            : e instanceof ConnectException
                ? new ConnectException(message)
                : e instanceof SocketException
                    ? new SocketException(message)
                    : e instanceof SocketTimeoutException
                        ? new SocketTimeoutException(message)
                        : e instanceof UnknownHostException
                            ? new UnknownHostException(message)
                            : new HttpRefusedException(true, 407, message);
    joined.initCause(e);
    return joined;
  }

  private Answer ask(Optional<DialedSocket> open, Optional<String> authorization, Deadline deadline)
      throws IOException {
    if (open.isPresent()) {
      try {
        return askOn(open.get(), authorization, deadline);
      } catch (EOFException | SocketException e) {
        // It was closed although that was not said. No request was sent: once more.
      }
    }
    return askOn(connect(deadline), authorization, deadline);
  }

  private DialedSocket connect(Deadline deadline) throws IOException {
    Socket plain =
        TcpDialer.dial(
            "the HTTP proxy (" + route.origin() + ")", proxy.host(), proxy.port(), deadline);
    if (!proxy.tls()) {
      return new DialedSocket(plain, plain, route.proxy());
    }
    SocketGuard guard = SocketGuard.start(plain, deadline.remaining());
    boolean done = false;
    try {
      Socket top = tls.handshake(plain, proxy.host(), proxy.port());
      done = guard.disarm();
      return new DialedSocket(plain, top, route.proxy());
    } catch (IOException e) {
      throw guard.explain(e, "the TLS handshake with the " + proxy);
    } finally {
      if (!done) {
        guard.disarm();
        SocketTeardown.close(plain);
      }
    }
  }

  private Answer askOn(DialedSocket connection, Optional<String> authorization, Deadline deadline)
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
    SocketGuard guard = SocketGuard.start(connection.plain(), deadline.remaining());
    boolean done = false;
    try {
      connection.top().getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      connection.top().getOutputStream().flush();
      Answer answer = answer(connection, HttpHead.read(connection.input(), proxy.toString()));
      if (!guard.disarm()) {
        throw new SocketException("closed while the last byte of the answer came");
      }
      done = true;
      return answer;
    } catch (IOException e) {
      throw guard.explain(e, "CONNECT at the " + proxy);
    } finally {
      guard.disarm();
      if (!done) {
        connection.close();
      }
    }
  }

  private Answer answer(DialedSocket connection, HttpHead head) throws IOException {
    if (head.status() / 100 == 2) {
      if (head.isWebPage()) {
        throw new HttpRefusedException(
            true,
            head.status(),
            proxy
                + " answered CONNECT with "
                + page(connection, head)
                + ": the login page of this network (a captive portal)? Open it in a browser");
      }
      if (head.rest().hasRemaining()) {
        // Gateways and RMI servers speak only when spoken to: these bytes come from another server.
        throw new ProtocolViolationException(
            proxy + ": expected nothing behind its answer to CONNECT, got bytes");
      }
      return new Answer(connection, head, "", true);
    }
    if (head.status() != 407) {
      String page = head.isWebPage() ? page(connection, head) : "";
      return new Answer(connection, head, page, false);
    }
    boolean staysOpen =
        head.keepsAlive()
            && (head.first("content-length").isPresent()
                || head.hasToken("transfer-encoding", "chunked"))
            && isRead(connection, head)
            && !head.rest().hasRemaining();
    return new Answer(connection, head, "", staysOpen);
  }

  /** Whether all of the page behind it was there soon; else the connection is of no more use. */
  private boolean isRead(DialedSocket connection, HttpHead head) {
    SocketGuard guard;
    try {
      guard = SocketGuard.start(connection.plain(), Duration.ofMillis(PAGE_PATIENCE_MILLIS));
    } catch (NoThreadException closed) {
      return false;
    }
    try {
      boolean framed =
          HttpBody.read(head, connection.input(), MAX_BODY_BYTES, proxy.toString()).framed();
      return guard.disarm() && framed;
    } catch (IOException cutOrLate) {
      return false;
    } finally {
      guard.disarm();
    }
  }

  /** The page behind the head, on a connection that is of no use for anything else. */
  private static String page(DialedSocket connection, HttpHead head) throws IOException {
    connection.plain().setSoTimeout(PAGE_PATIENCE_MILLIS);
    return WebPage.describe(head, connection.input());
  }

  private static boolean isStale(List<HttpChallenge> challenges) {
    return challenges.stream().anyMatch(c -> c.parameter("stale", "").equalsIgnoreCase("true"));
  }

  /**
   * What came back.
   *
   * @param page what stands behind the head, if people are to read that
   */
  private record Answer(DialedSocket connection, HttpHead head, String page, boolean staysOpen) {
    boolean isYes() {
      return head.status() / 100 == 2;
    }

    List<HttpChallenge> challenges() {
      return HttpChallenge.parse(head.all("proxy-authenticate"));
    }
  }
}
