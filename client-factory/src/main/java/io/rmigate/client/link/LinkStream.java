package io.rmigate.client.link;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.Refused;
import io.rmigate.protocol.tunnel.ReturnEnd;
import io.rmigate.protocol.tunnel.Tunnel;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The agent's side of one stream: requests go out in chunks as credit allows, the bytes of Returns
 * are kept until they are read. Half duplex like JRMP itself: one thread converses; {@link #close}
 * may come from any.
 *
 * <p>Lock: {@code lock} guards all mutable fields. Nothing is sent under it; {@link LinkOutbound}
 * takes it under its own to ask whether data may still go.
 */
public final class LinkStream {
  private final Link link;
  private final Open open;
  private final ReentrantLock lock = new ReentrantLock();

  private final Waiter reading =
      new Waiter() {
        @Override
        boolean satisfied() {
          return readable();
        }
      };
  private final Waiter sending =
      new Waiter() {
        @Override
        boolean satisfied() {
          return sendable();
        }
      };

  private boolean openSent;
  private long request;
  private int sendCredit;
  private final Deque<byte[]> received = new ArrayDeque<>();
  private int receivedOffset;
  private int consumedUnreported;
  private long grantedOutstanding;
  private boolean returnEnded;
  private Refused refused;
  private boolean closeSent;
  private boolean closeReceived;
  private CloseCause closeCause;
  private IOException lost;

  LinkStream(Link link, int id, String host, int port, Duration connect, Duration handshake) {
    this.link = link;
    this.open = new Open(id, host, port, connect, handshake);
    this.sendCredit = link.agentCredit();
    this.grantedOutstanding = Link.GATEWAY_CREDIT_BYTES;
  }

  int id() {
    return open.stream();
  }

  /** Whether a new request can still be sent here; false once either side or the link has ended. */
  public boolean isUsable() {
    lock.lock();
    try {
      return !closeSent && !closeReceived && lost == null;
    } finally {
      lock.unlock();
    }
  }

  /**
   * A new request begins: what concerned the one before is forgotten, its unread bytes too.
   *
   * @throws LinkLostException nothing of it was sent
   */
  public void beginRequest() throws IOException {
    lock.lock();
    try {
      throwIfOver();
      request++;
      returnEnded = false;
      refused = null;
      for (byte[] stale : received) {
        consumedUnreported += stale.length;
      }
      consumedUnreported -= receivedOffset;
      received.clear();
      receivedOffset = 0;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sends a part of the request, at most {@link Tunnel#MAX_BODY_BYTES}, waiting for credit as long
   * as it takes. What belongs to a request that has been refused meanwhile is dropped.
   *
   * @param last the request ends here
   */
  public void send(boolean last, byte[] bytes, int offset, int length) throws IOException {
    int sent = 0;
    do {
      int chunk = takeCredit(length - sent);
      if (chunk < 0) { // refused: only the end still matters to the gateway
        if (last) {
          link.outbound().sendData(this, true, bytes, offset, 0);
        }
        return;
      }
      boolean lastChunk = last && sent + chunk == length;
      link.outbound().sendData(this, lastChunk, bytes, offset + sent, chunk);
      sent += chunk;
    } while (sent < length);
  }

  /**
   * Lets data of this stream pass, after the frame that opens it, if that is to come first. Called
   * under the outbound lock, in which this stream's own is taken.
   */
  Frame admit() throws SocketException {
    lock.lock();
    try {
      if (closeSent) {
        throw new SocketException("Socket closed");
      }
      boolean first = !openSent;
      openSent = true;
      return first ? open : null;
    } finally {
      lock.unlock();
    }
  }

  /** Whether our close has not been sent. Called under the outbound lock. */
  boolean isOpenHere() {
    lock.lock();
    try {
      return !closeSent;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for credit; −1 when the request has been refused. */
  private int takeCredit(int wanted) throws IOException {
    while (true) {
      lock.lock();
      try {
        throwIfOver();
        if (refused != null) {
          return -1;
        }
        if (sendCredit > 0 || wanted == 0) {
          int taken = Math.min(wanted, sendCredit);
          sendCredit -= taken;
          return taken;
        }
      } finally {
        lock.unlock();
      }
      link.inbound().await(sending, 0);
    }
  }

  /** The refusal of the current request, if there was one. */
  public Optional<Refused> refusal() {
    lock.lock();
    try {
      return Optional.ofNullable(refused);
    } finally {
      lock.unlock();
    }
  }

  /** Bytes of the Return that can be read without blocking. */
  public int available() {
    lock.lock();
    try {
      long bytes = -receivedOffset;
      for (byte[] part : received) {
        bytes += part.length;
      }
      return (int) Math.min(Integer.MAX_VALUE, bytes);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Reads bytes of the current Return, blocking until there are some.
   *
   * @param timeoutMillis 0 for none
   * @return −1 when no more will come for this request: the server has gone, the request was
   *     refused ({@link #refusal}), or we were closed
   * @throws SocketTimeoutException the time is over; the stream can be read again
   * @throws LinkLostException the link was lost; the request may have been executed
   */
  public int read(byte[] buffer, int offset, int length, int timeoutMillis) throws IOException {
    long deadline = System.nanoTime() + timeoutMillis * 1_000_000L;
    while (true) {
      int credit = 0;
      int count;
      lock.lock();
      try {
        byte[] head = received.peek();
        if (head == null) {
          if (closeSent) {
            throw new SocketException("Socket closed");
          }
          if (returnEnded || refused != null) {
            return -1;
          }
          if (closeReceived) {
            if (closeCause == CloseCause.SERVER_CLOSED || closeCause == CloseCause.DONE) {
              return -1;
            }
            throw new SocketException(
                "the rmigate gateway ended the connection to "
                    + target()
                    + ": "
                    + closeCause.sentence());
          }
          if (lost != null) {
            throw LinkLostException.again(lost);
          }
          count = 0;
        } else {
          count = Math.min(length, head.length - receivedOffset);
          System.arraycopy(head, receivedOffset, buffer, offset, count);
          receivedOffset += count;
          if (receivedOffset == head.length) {
            received.remove();
            receivedOffset = 0;
          }
          credit = consumed(count);
        }
      } finally {
        lock.unlock();
      }
      if (count > 0) {
        if (credit > 0) {
          link.outbound().sendCredit(this, credit);
        }
        return count;
      }
      if (timeoutMillis == 0) {
        link.inbound().await(reading, 0);
      } else {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          throw new SocketTimeoutException("Read timed out");
        }
        link.inbound().await(reading, left);
      }
    }
  }

  /** Credit is given back in halves of the window, so that it costs a frame now and then. */
  private int consumed(int count) {
    consumedUnreported += count;
    if (consumedUnreported < Link.GATEWAY_CREDIT_BYTES / 2 || closeSent || lost != null) {
      return 0;
    }
    int credit = consumedUnreported;
    consumedUnreported = 0;
    grantedOutstanding += credit;
    return credit;
  }

  /** Ends our side. Idempotent, does not block, wakes whoever waits here. */
  public void close() {
    boolean tellGateway;
    boolean over;
    lock.lock();
    try {
      if (closeSent) {
        return;
      }
      closeSent = true;
      received.clear();
      receivedOffset = 0;
      tellGateway = openSent && lost == null;
      over = !openSent || closeReceived || lost != null;
    } finally {
      lock.unlock();
    }
    if (tellGateway) {
      link.outbound().sendLater(new Close(id(), CloseCause.DONE));
    }
    if (over) {
      link.forget(this);
    }
    reading.wake();
    sending.wake();
  }

  // Called by the thread that reads the link.

  void onData(byte[] bytes) throws ProtocolViolationException {
    lock.lock();
    try {
      checkPeerMaySend();
      grantedOutstanding -= bytes.length;
      if (grantedOutstanding < 0) {
        throw new ProtocolViolationException(
            "expected no more than the credit on stream " + id() + ", got " + -grantedOutstanding);
      }
      if (closeSent || bytes.length == 0) {
        return; // on its way when we closed
      }
      received.add(bytes);
    } finally {
      lock.unlock();
    }
    reading.wake();
  }

  void onReturnEnd(ReturnEnd end) throws ProtocolViolationException {
    lock.lock();
    try {
      checkPeerMaySend();
      returnEnded |= end.request() == request;
    } finally {
      lock.unlock();
    }
    reading.wake();
  }

  void onRefused(Refused refusal) throws ProtocolViolationException {
    lock.lock();
    try {
      checkPeerMaySend();
      if (refusal.request() == request) {
        refused = refusal;
      }
    } finally {
      lock.unlock();
    }
    reading.wake();
    sending.wake();
  }

  void onCredit(int moreBytes) throws ProtocolViolationException {
    lock.lock();
    try {
      checkPeerMaySend();
      if ((long) sendCredit + moreBytes > Tunnel.MAX_CREDIT_BYTES) {
        throw new ProtocolViolationException("expected less than 2^30 of credit, got more");
      }
      sendCredit += moreBytes;
    } finally {
      lock.unlock();
    }
    sending.wake();
  }

  void onClose(CloseCause cause) throws ProtocolViolationException {
    boolean answer;
    lock.lock();
    try {
      checkPeerMaySend();
      closeReceived = true;
      closeCause = cause;
      answer = !closeSent;
    } finally {
      lock.unlock();
    }
    reading.wake();
    sending.wake();
    if (!answer) {
      link.forget(this);
    }
  }

  void onLinkLost(IOException cause) {
    lock.lock();
    try {
      lost = cause;
    } finally {
      lock.unlock();
    }
    reading.wake();
    sending.wake();
  }

  private void checkPeerMaySend() throws ProtocolViolationException {
    if (closeReceived) {
      throw new ProtocolViolationException(
          "expected nothing more on stream " + id() + " after its close");
    }
  }

  private boolean readable() {
    lock.lock();
    try {
      return !received.isEmpty() || returnEnded || refused != null || over();
    } finally {
      lock.unlock();
    }
  }

  private boolean sendable() {
    lock.lock();
    try {
      return sendCredit > 0 || refused != null || over();
    } finally {
      lock.unlock();
    }
  }

  private boolean over() {
    return closeSent || closeReceived || lost != null;
  }

  private void throwIfOver() throws IOException {
    if (closeSent) {
      throw new SocketException("Socket closed");
    }
    if (lost != null) {
      throw LinkLostException.again(lost);
    }
    if (closeReceived) {
      throw new SocketException(
          "the rmigate gateway ended the connection to " + target() + ": " + closeCause.sentence());
    }
  }

  private String target() {
    return open.host() + ":" + open.port();
  }
}
