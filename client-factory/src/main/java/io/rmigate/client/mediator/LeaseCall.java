package io.rmigate.client.mediator;

import io.rmigate.client.link.Link;
import io.rmigate.client.link.LinkWait;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.tunnel.Leased;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A dirty or clean call of the JVM that its server does not see. Mostly its Return is known at
 * once; a dirty that asks waits until the gateway has answered each of the frames that carry it.
 *
 * <p>Confined to the thread that calls, except {@link #close} and what the reader of the link
 * brings.
 */
public final class LeaseCall implements MediatedCall {
  private final byte[] message;
  private final EndpointId endpoint;
  private final Link link;
  private final LinkWait wait;
  private final AtomicInteger unanswered;
  private volatile Leased refusal;
  private volatile boolean closed;

  /**
   * @param message the Return, if nothing is refused
   * @param link asked
   * @param asks answers to wait for
   */
  LeaseCall(byte[] message, EndpointId endpoint, Link link, int asks) {
    this.message = message;
    this.endpoint = endpoint;
    this.link = link;
    this.unanswered = new AtomicInteger(asks);
    this.wait = asks == 0 ? null : link.newWait(this::isOver);
  }

  private boolean isOver() {
    return closed || unanswered.get() == 0;
  }

  /**
   * Waits for the Return.
   *
   * @param timeoutMillis 0 for none
   * @return not to be changed
   * @throws SocketTimeoutException the time is over; the wait can be taken up again
   * @throws SocketException closed meanwhile
   * @throws ConnectException the gateway has no lease: the dirty must fail, so that the JVM's own
   *     rules for that apply
   */
  public byte[] await(int timeoutMillis) throws IOException {
    if (!isOver()) {
      wait.await(timeoutMillis);
    }
    if (closed) {
      throw new SocketException("Socket closed");
    }
    Leased refused = refusal;
    if (refused != null) {
      throw new ConnectException("no lease at " + endpoint + ": " + refused.text());
    }
    if (unanswered.get() > 0) {
      throw new ConnectException(
          "the link was lost before the gateway held a lease at " + endpoint);
    }
    return message;
  }

  /** Ends the wait for the answer. From any thread. */
  @Override
  public void close() {
    boolean waiting = !isOver();
    closed = true;
    if (waiting) {
      wait.abandon();
    }
  }

  /** Whether the call waits for the gateway on this link. */
  boolean isAskedOn(Link other) {
    return link == other;
  }

  /** The gateway has answered one frame. */
  void onAnswer(Leased answer) {
    if (answer.outcome() != Leased.Outcome.HELD) {
      refusal = answer;
    }
    if (unanswered.decrementAndGet() == 0) {
      wake();
    }
  }

  /** Wakes the waiting thread, because the call may be over. */
  void wake() {
    wait.wake();
  }
}
