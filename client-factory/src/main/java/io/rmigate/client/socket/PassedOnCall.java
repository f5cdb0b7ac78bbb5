package io.rmigate.client.socket;

import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The latest Call of a client's connection, while it is passed on before it has ended. Shared by
 * the thread that reads the client and the one that carries Returns: a long Call ends with the
 * first byte of its Return.
 */
final class PassedOnCall {
  /** Held while parts of the Call are sent, or it is ended. */
  private final ReentrantLock sending = new ReentrantLock();

  private boolean underWay;

  /** Whether it is not known yet if the client sends another message behind this Call. */
  private boolean undecided;

  /** Whether the client sends no other message behind this Call. */
  private boolean last;

  /** The lock that is held while parts of the Call are sent. */
  ReentrantLock sending() {
    return sending;
  }

  void begin() {
    sending.lock();
    try {
      underWay = true;
      undecided = true;
      last = false;
    } finally {
      sending.unlock();
    }
  }

  void sendSoFar(JrmpConversation conversation) throws IOException {
    sending.lock();
    try {
      if (underWay) {
        conversation.sendSoFar();
      }
    } finally {
      sending.unlock();
    }
  }

  /** Whether parts of the Call are still sent. With {@link #sending} held. */
  boolean isUnderWay() {
    return underWay;
  }

  /** Whether the next byte of the client belongs to another message. With {@link #sending} held. */
  boolean isFollowed() {
    return !underWay && !undecided && !last;
  }

  /**
   * The Return has begun: the client's next bytes are another message, or the rest of a Call that
   * was answered early.
   */
  void onReturn(JrmpConversation answering, ReturnOutcome outcome) throws IOException {
    sending.lock();
    try {
      if (underWay) {
        answering.endRequest();
        underWay = false;
      }
      if (undecided && outcome.isKnown()) {
        decide(outcome);
      }
    } finally {
      sending.unlock();
    }
  }

  void decide(ReturnOutcome outcome) {
    sending.lock();
    try {
      undecided = false;
      last = outcome.isLast();
    } finally {
      sending.unlock();
    }
  }
}
