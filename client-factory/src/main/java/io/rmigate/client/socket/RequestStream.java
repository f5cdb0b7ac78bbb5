package io.rmigate.client.socket;

import io.rmigate.client.deadline.CallClock;
import io.rmigate.client.link.LinkLostException;
import io.rmigate.client.link.LinkStream;
import io.rmigate.client.link.StreamSequence;
import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.tunnel.Tunnel;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The stream by which the requests of one conversation leave. It is taken when a request begins,
 * not when the socket is made: a connection that idles in the RMI runtime's pool survives a lost
 * link, and a Call of which no byte has left goes over the next link. A Call is never sent again
 * once bytes of it were given to a connection.
 *
 * <p>Confined to the one thread that converses at a time, except for what ends it; {@code lock}
 * guards what the two share.
 */
final class RequestStream {
  private final MediatorAgent agent;
  private final String host;
  private final int port;
  private final CallTiming timing;
  private final RequestBuffer request;

  /** Whether earlier bytes of the pending request are on their way already. */
  private boolean begun;

  /** Whether a stream has been given bytes of the latest Call. Read by other threads, too. */
  private volatile boolean given;

  /** Null unless the Calls take part in one. */
  private StreamSequence sequence;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closing = lock.newCondition();

  /** Guarded by {@code lock} for writing. */
  private volatile boolean closed;

  /** Null before the first request. */
  private volatile LinkStream stream;

  RequestStream(
      MediatorAgent agent, String host, int port, CallTiming timing, RequestBuffer request) {
    this.agent = agent;
    this.host = host;
    this.port = port;
    this.timing = timing;
    this.request = request;
  }

  /** The stream of the latest request; null before the first. */
  LinkStream current() {
    return stream;
  }

  /** A Call begins to be written. */
  void beginCall() {
    given = false;
  }

  /** Whether bytes of the pending request were sent. */
  boolean isBegun() {
    return begun;
  }

  /** No byte of the pending request was sent. */
  void resetBegun() {
    begun = false;
  }

  /** Takes back the sent bytes of the pending Call by the end of their stream. */
  void takeBack() {
    if (begun) {
      stream.close();
      begun = false;
      given = false;
    }
  }

  /** Sends the unsent bytes of the request. */
  void send(boolean last) throws IOException {
    LinkStream current = begun ? stream : beginRequest();
    begun = true;
    int count = request.length();
    request.clear();
    int sent = 0;
    do {
      int part = Math.min(count - sent, Tunnel.MAX_BODY_BYTES);
      current.send(last && sent + part == count, request.bytes(), sent, part);
      sent += part;
    } while (sent < count);
    if (last) {
      begun = false;
    }
  }

  private LinkStream beginRequest() throws IOException {
    CallClock clock = timing.clock(request.bytes(), request.length());
    while (true) {
      LinkStream usable = usableStream(clock);
      boolean call = request.bytes()[0] == Jrmp.CALL;
      if (usable.beginRequest(clock, call)) {
        if (call) {
          given = true;
        }
        return usable;
      }
    }
  }

  /** The stream of the last request, or another one when that has ended: nothing was sent yet. */
  private LinkStream usableStream(CallClock clock) throws IOException {
    LinkStream current = stream;
    if (current != null && current.isUsable()) {
      return current;
    }
    if (current != null) {
      current.close();
      if (sequence != null) {
        throw new ConnectException("the stream of the sequence has ended");
      }
    }
    LinkStream opened = agent.openStream(host, port, clock);
    if (sequence != null) {
      join(opened);
    }
    lock.lock();
    try {
      stream = opened;
    } finally {
      lock.unlock();
    }
    if (closed) {
      opened.close();
      throw new SocketException("Socket closed");
    }
    return opened;
  }

  private void join(LinkStream opened) throws ConnectException {
    try {
      opened.join(sequence);
    } catch (ConnectException other) {
      opened.close();
      throw other;
    }
  }

  /** All Calls take part in the sequence from here on. */
  void join(StreamSequence its) {
    sequence = its;
  }

  /** The time that is left for the answer; {@link Long#MAX_VALUE} when there is no bound. */
  long leftNanos() {
    LinkStream current = stream;
    return current == null || !given ? Long.MAX_VALUE : current.leftNanos();
  }

  /** Whether nothing of the latest Call has been given to a connection; from any thread. */
  boolean isUnsent() {
    LinkStream current = stream;
    return !given || current == null || current.isUnsent();
  }

  /** Sends a part of a Call that has not ended; over the next link if nothing has left. */
  void sendPart() throws IOException {
    int count = request.length();
    while (!trySending(false, count)) {
      count = sendAnew(count);
    }
    request.keepSent(count, request.isComplete() && stream.mayStayUnsent());
  }

  /** Sends the Call, or its rest; over the next link if one is lost before anything has left. */
  void sendCall() throws IOException {
    int length = request.length();
    while (!trySending(true, length)) {
      length = sendAnew(length);
    }
    request.keepLast(length);
  }

  /** False when the link was lost and nothing has left of a Call that we have so far. */
  private boolean trySending(boolean last, int count) throws IOException {
    request.restore(count);
    try {
      send(last);
      return true;
    } catch (LinkLostException lost) {
      if (request.isComplete() && !closed && (!begun || stream.isUnsent())) {
        return false;
      }
      throw lost;
    }
  }

  /**
   * Begins the Call anew after {@code count} bytes were sent in vain; returns its length so far.
   */
  private int sendAnew(int count) {
    begun = false;
    return request.rejoin(count);
  }

  /**
   * Makes a Call unsent again whose link was lost before its Return began.
   *
   * @return false when it may not be sent again
   */
  boolean restoreUnanswered() {
    if (request.unanswered() == 0 || closed || !stream.isUnsent()) {
      return false;
    }
    int unused = sendAnew(request.unanswered());
    return true;
  }

  /**
   * The exception for a connection that has ended: {@code cut}, unless the latest Call may have
   * reached its server.
   *
   * @param returning whether its Return has begun
   */
  IOException ending(SocketException cut, boolean returning) {
    LinkStream current = stream;
    if (!given || current.isUnsent()) {
      return cut;
    }
    return current
        .closeReason()
        .map(text -> LostCallException.told(text, returning))
        .orElseGet(() -> new LostCallException(cut.getMessage(), returning));
  }

  /** Waits for the end: no answer is due. A real connection blocks here, too. */
  SocketException awaitClose(int timeoutMillis) throws SocketTimeoutException {
    long left = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    boolean interrupted = false;
    lock.lock();
    try {
      while (!closed) {
        if (timeoutMillis == 0) {
          closing.awaitUninterruptibly();
        } else if (left <= 0) {
          throw new SocketTimeoutException("Read timed out");
        } else {
          try {
            left = closing.awaitNanos(left);
          } catch (InterruptedException ignoredUntilReturn) {
            interrupted = true; // socket reads of platform threads are not interruptible
          }
        }
      }
    } finally {
      lock.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return new SocketException("Socket closed");
  }

  /** No stream is taken from here on; from any thread. False when that was so already. */
  boolean end() {
    lock.lock();
    try {
      if (closed) {
        return false;
      }
      closed = true;
      closing.signalAll();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Closes the stream, if there is one; from any thread. */
  void close() {
    LinkStream current = stream;
    if (current != null) {
      current.close();
    }
  }

  boolean isClosed() {
    return closed;
  }

  void throwIfClosed() throws SocketException {
    if (closed) {
      throw new SocketException("Socket closed");
    }
  }
}
