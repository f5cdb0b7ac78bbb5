package io.rmigate.client.transport.net;

import io.rmigate.client.jvm.Daemons;
import io.rmigate.client.jvm.NoThreadException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Closes a socket unless it is done in time. A socket's own timeout bounds one read: a peer that
 * sends a byte a second would pass it for ever, and nothing at all bounds a write.
 *
 * <p>Costs a short-lived daemon thread, which is affordable while connecting and closing.
 */
public final class SocketGuard implements Runnable {
  private enum State {
    WATCHING,
    DISARMED,
    EXPIRED
  }

  private final CountDownLatch done = new CountDownLatch(1);
  private final Socket socket;
  private final Duration timeout;
  private final AtomicReference<State> state = new AtomicReference<>(State.WATCHING);

  private SocketGuard(Socket socket, Duration timeout) {
    this.socket = socket;
    this.timeout = timeout;
  }

  /**
   * Starts the time.
   *
   * @param socket the plain one, whose close never waits
   * @throws NoThreadException there is no thread for the guard, and the socket is closed
   */
  public static SocketGuard start(Socket socket, Duration timeout) throws NoThreadException {
    SocketGuard guard = new SocketGuard(socket, timeout);
    try {
      Daemons.start("rmigate-socket-guard", guard);
    } catch (NoThreadException none) {
      SocketTeardown.close(socket); // unwatched, it might hang for ever
      throw none;
    }
    return guard;
  }

  /** Waits for the end of the time, and closes the socket then. */
  @Override
  public void run() {
    try {
      if (done.await(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      // Not expected; the bound must hold all the same: close now.
    }
    if (state.compareAndSet(State.WATCHING, State.EXPIRED)) {
      SocketTeardown.close(socket);
    }
  }

  /**
   * The exception to report instead of {@code e}: a timeout if this guard has closed the socket
   * while it was in use, {@code e} itself otherwise.
   */
  public IOException explain(IOException e, String doing) {
    if (state.get() != State.EXPIRED && !(e instanceof SocketTimeoutException)) {
      return e;
    }
    SocketTimeoutException timedOut =
        new SocketTimeoutException(doing + " took longer than " + timeout.toMillis() + " ms");
    timedOut.initCause(e);
    return timedOut;
  }

  /**
   * Ends the watch.
   *
   * @return false if it was too late: the socket is closed, or about to be
   */
  public boolean disarm() {
    boolean inTime = state.compareAndSet(State.WATCHING, State.DISARMED);
    done.countDown();
    return inTime;
  }
}
