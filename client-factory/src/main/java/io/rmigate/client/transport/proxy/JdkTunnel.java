package io.rmigate.client.transport.proxy;

import io.rmigate.client.config.HttpProxy;
import io.rmigate.client.jvm.Daemons;
import io.rmigate.client.transport.http.HttpChallenge;
import io.rmigate.client.transport.net.Deadline;
import io.rmigate.client.transport.net.NameLookup;
import io.rmigate.client.transport.net.SocketTeardown;
import io.rmigate.client.transport.net.UninterruptibleWait;
import java.io.IOException;
import java.net.Authenticator;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;

/**
 * CONNECT by the JDK's own code, for HTTP proxies that take nothing but NTLM or Negotiate
 * (Kerberos): it has both, with the login of the desktop where there is one. It asks the JVM-wide
 * Authenticator for anything else, so that one is in place for the moment which answers for this
 * HTTP proxy and this thread only, and leaves everything else to the one that was there.
 *
 * <p>The JDK bounds single reads only; therefore it works on a daemon thread of its own, which is
 * left alone when the time is over, and closes what it then gets.
 */
final class JdkTunnel {
  private static final Set<String> SCHEMES = Set.of("ntlm", "negotiate", "kerberos");

  private static final Pattern GATEWAY_NOT_REACHED =
      Pattern.compile("Proxy returns \"HTTP/1\\.[01] 50[0234]\\b");

  /** One login of ours in the JVM at a time. */
  private static final ReentrantLock AUTHENTICATOR = new ReentrantLock();

  private final HttpProxy proxy;
  private final String host;
  private final int port;

  /**
   * Towards {@code host}.
   *
   * @param host of the gateway, without brackets
   */
  JdkTunnel(HttpProxy proxy, String host, int port) {
    this.proxy = proxy;
    this.host = host;
    this.port = port;
  }

  /** Whether the JDK may be able to answer. */
  static boolean mayAnswer(HttpProxy proxy, List<HttpChallenge> challenges) {
    return !proxy.tls()
        && challenges.stream().anyMatch(c -> SCHEMES.contains(c.scheme().toLowerCase(Locale.ROOT)));
  }

  /**
   * A socket behind which the gateway listens.
   *
   * @throws SocketTimeoutException it took too long
   * @throws ConnectException the HTTP proxy cannot be reached, or does not reach the gateway
   * @throws IOException the HTTP proxy refused
   */
  Socket open(Deadline deadline) throws IOException {
    InetAddress[] addresses = NameLookup.SYSTEM.addressesOf(proxy.host(), deadline.remaining());
    InetSocketAddress address =
        new InetSocketAddress(
            InetAddress.getByAddress(proxy.host(), addresses[0].getAddress()), proxy.port());
    return within(deadline, () -> connect(address, deadline));
  }

  /** Opens a socket. */
  @FunctionalInterface
  interface Opening {
    Socket open() throws IOException, InterruptedException;
  }

  /** The socket, if it is there in time; one that comes later is closed by the thread it is on. */
  static Socket within(Deadline deadline, Opening opening) throws IOException {
    CompletableFuture<Socket> opened = new CompletableFuture<>();
    Daemons.start("rmigate-jdk-tunnel", () -> complete(opened, opening));
    try {
      return UninterruptibleWait.get(opened, deadline.remaining().toNanos());
    } catch (TimeoutException late) {
      abandon(opened);
      throw new SocketTimeoutException("the JDK's NTLM or Negotiate was not done in time");
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof IOException known
          ? explained(known)
          : new IOException(String.valueOf(failed.getCause()), failed.getCause());
    }
  }

  private static void complete(CompletableFuture<Socket> opened, Opening opening) {
    try {
      Socket socket = opening.open();
      if (!opened.complete(socket)) {
        SocketTeardown.close(socket); // no thread waits for it any more
      }
    } catch (Throwable e) { // for who waits
      opened.completeExceptionally(e);
    }
  }

  private static void abandon(CompletableFuture<Socket> opened) {
    if (!opened.cancel(false) && !opened.isCompletedExceptionally()) {
      SocketTeardown.close(opened.join());
    }
  }

  /** The JDK has one exception for all refusals, with the status line in its message. */
  private static IOException explained(IOException e) {
    if (!GATEWAY_NOT_REACHED.matcher(String.valueOf(e.getMessage())).find()) {
      return e;
    }
    ProxyRefusedException refused = new ProxyRefusedException(e.getMessage());
    refused.initCause(e);
    return refused;
  }

  private Socket connect(InetSocketAddress address, Deadline deadline)
      throws IOException, InterruptedException {
    if (proxy.login().isEmpty()) {
      return connectAsTheJdkDoes(address, deadline);
    }
    String user = proxy.login().get().user();
    char[] password = proxy.login().get().password().read().toCharArray();
    if (!AUTHENTICATOR.tryLock(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS)) {
      throw new SocketTimeoutException("another login at an HTTP proxy was not done in time");
    }
    try {
      Authenticator before = Authenticator.getDefault();
      Authenticator mine = new OnlyHere(before, user, password, Thread.currentThread());
      Authenticator.setDefault(mine);
      try {
        return connectAsTheJdkDoes(address, deadline);
      } finally {
        if (Authenticator.getDefault() == mine) {
          Authenticator.setDefault(before);
        }
      }
    } finally {
      AUTHENTICATOR.unlock();
    }
  }

  private Socket connectAsTheJdkDoes(InetSocketAddress address, Deadline deadline)
      throws IOException {
    int millis = (int) Math.max(1, deadline.remaining().toMillis());
    Socket socket = new Socket(new Proxy(Proxy.Type.HTTP, address));
    boolean done = false;
    try {
      socket.setSoTimeout(millis);
      // Unresolved: the name means something to the HTTP proxy, and maybe nothing here.
      socket.connect(InetSocketAddress.createUnresolved(host, port), millis);
      socket.setSoTimeout(0);
      socket.setTcpNoDelay(true);
      socket.setKeepAlive(true);
      done = true;
      return socket;
    } finally {
      if (!done) {
        SocketTeardown.close(socket);
      }
    }
  }

  /** Answers for one HTTP proxy, on one thread. */
  private final class OnlyHere extends Authenticator {
    private final Authenticator before; // null if there was none
    private final String user;
    private final char[] password;
    private final Thread thread;

    OnlyHere(Authenticator before, String user, char[] password, Thread thread) {
      this.before = before;
      this.user = user;
      this.password = password;
      this.thread = thread;
    }

    @Override
    protected PasswordAuthentication getPasswordAuthentication() {
      boolean ours =
          Thread.currentThread() == thread
              && getRequestorType() == RequestorType.PROXY
              && proxy.host().equalsIgnoreCase(getRequestingHost())
              && proxy.port() == getRequestingPort()
              && SCHEMES.contains(String.valueOf(getRequestingScheme()).toLowerCase(Locale.ROOT));
      if (ours) {
        // A copy each time: Negotiate asks twice, and wipes what it was given in between.
        return new PasswordAuthentication(user, password);
      }
      return before == null
          ? null
          : before.requestPasswordAuthenticationInstance(
              getRequestingHost(),
              getRequestingSite(),
              getRequestingPort(),
              getRequestingProtocol(),
              getRequestingPrompt(),
              getRequestingScheme(),
              getRequestingURL(),
              getRequestorType());
    }
  }
}
