package io.rmigate.client.callback;

import io.rmigate.client.link.Link;
import io.rmigate.client.link.LinkWait;
import io.rmigate.protocol.tunnel.Listen;
import io.rmigate.protocol.tunnel.Listening;
import io.rmigate.protocol.tunnel.Unlisten;
import java.net.SocketTimeoutException;

/**
 * A listener in one session: LISTEN, what the gateway has answered, and perhaps UNLISTEN. Its
 * fields are guarded by the lock of {@link SessionListeners}.
 */
final class Announcement {
  private final Link link;
  private final long number;
  private final Listener listener;
  private final LinkWait wait;

  private volatile Listening answer;
  private boolean withdrawn;

  Announcement(Link link, long number, Listener listener) {
    this.link = link;
    this.number = number;
    this.listener = listener;
    this.wait = link.newWait(() -> answer != null);
  }

  Link link() {
    return link;
  }

  long number() {
    return number;
  }

  Listener listener() {
    return listener;
  }

  /** The gateway's answer; null while there is none. */
  Listening answer() {
    return answer;
  }

  /** Whether inner JVMs can connect, as far as is known. */
  boolean isListening() {
    Listening known = answer;
    return known != null
        && known.outcome() == Listening.Outcome.LISTENING
        && !link.hasEnded()
        && !withdrawn;
  }

  void send(int port) {
    link.awaitVisitors();
    link.enqueue(new Listen(number, port));
  }

  /**
   * Waits for the gateway's answer.
   *
   * @return null when the link has ended before it came
   * @throws SocketTimeoutException it has not come in time
   */
  Listening await(int timeoutMillis) throws SocketTimeoutException {
    wait.await(timeoutMillis);
    return answer;
  }

  /** The gateway has answered. Under the lock; {@link #wake} comes next, without it. */
  void onAnswer(Listening listening) {
    answer = listening;
    if (withdrawn) {
      unlisten();
    }
  }

  void wake() {
    wait.wake();
  }

  /** The JVM listens no more. The gateway must have answered before it may be told. */
  void withdraw() {
    if (!withdrawn) {
      withdrawn = true;
      if (answer != null) {
        unlisten();
      }
    }
  }

  private void unlisten() {
    if (answer.outcome() == Listening.Outcome.LISTENING) {
      link.enqueue(new Unlisten(number));
    }
  }

  boolean isWithdrawn() {
    return withdrawn;
  }
}
