package io.rmigate.client.socket;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The Calls of one client's connection by their numbers, which start at 1: which has begun, was
 * sent, is being answered and is over. Shared by the thread that reads the client and the one that
 * carries Returns; nothing is sent under its lock.
 */
final class CallSequence {
  /** In place of the number of a Call that has begun anew in another conversation. */
  static final long REPLACED = 0;

  /** A Call that was sent whole, and the conversation that brings its Return. */
  record Sent(long number, JrmpConversation conversation) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** The conversation of the latest Call. */
  private JrmpConversation conversation;

  /** The number of the latest Call that has begun to be sent. */
  private long begun;

  /** The latest Call that was sent whole; null before the first. */
  private Sent sent;

  /** The number of the latest Call of whose Return bytes have come. */
  private long answering;

  /** The number of the latest Call that is over. */
  private long over;

  private boolean closed;

  CallSequence(JrmpConversation first) {
    this.conversation = first;
  }

  void begin() {
    lock.lock();
    try {
      begun++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The latest Call was sent whole: its Return is carried. */
  void onSent() {
    lock.lock();
    try {
      sent = new Sent(begun, conversation);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether bytes of the latest Call's Return have come. */
  boolean isAnswered() {
    lock.lock();
    try {
      return answering == begun;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Begins the latest Call anew in another conversation.
   *
   * @return false when bytes of its Return have come meanwhile
   */
  boolean beginAnew(JrmpConversation next) {
    lock.lock();
    try {
      if (answering == begun) {
        return false;
      }
      begun++;
      conversation = next;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a Call whose Return is to be carried; null at the end of the connection. */
  Sent awaitSent() {
    lock.lock();
    try {
      while (!closed && (sent == null || sent.number() <= over)) {
        changed.awaitUninterruptibly();
      }
      return closed ? null : sent;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The latest Call of a conversation.
   *
   * @param answered whether bytes of its Return have come
   * @return {@link #REPLACED} when another conversation has taken over
   */
  long latest(JrmpConversation from, boolean answered) {
    lock.lock();
    try {
      if (from != conversation) {
        return REPLACED;
      }
      if (answered) {
        answering = begun;
      }
      return begun;
    } finally {
      lock.unlock();
    }
  }

  void end(long call) {
    lock.lock();
    try {
      over = Math.max(over, call);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether a Call that is over is still the latest one after some time.
   *
   * @param nanos to wait for another Call to begin
   */
  boolean staysLatest(long call, long nanos) {
    lock.lock();
    try {
      long left = nanos;
      while (left > 0 && call == begun && !closed) {
        left = changed.awaitNanos(left);
      }
      return call == begun;
    } catch (InterruptedException unexpected) { // no code interrupts this thread
      Thread.currentThread().interrupt();
      return true;
    } finally {
      lock.unlock();
    }
  }

  void close() {
    lock.lock();
    try {
      closed = true;
      conversation.close();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
