package io.rmigate.gateway.callback;

import io.rmigate.gateway.relay.listener.InnerConnection;
import java.io.ByteArrayOutputStream;

/**
 * The bytes for one inner JVM: answers of the gateway, and Returns. A JVM that does not read is not
 * read from, so that calls and Returns take turns. Guarded by the stream's lock; the connection
 * calls back outside its own.
 */
final class InnerOutput {
  private final InnerConnection connection;
  private final WaitingBytes waiting;

  /** Answers to the bytes of one read. */
  private final ByteArrayOutputStream answers = new ByteArrayOutputStream(0);

  /** Bytes that the operating system has not taken. */
  private int unwritten;

  private boolean readingWaits;

  InnerOutput(InnerConnection connection, WaitingBytes waiting) {
    this.connection = connection;
    this.waiting = waiting;
  }

  /** Leaves with the next {@link #sayAnswers}. */
  void answer(byte[] bytes) {
    answers.writeBytes(bytes);
  }

  /** Answers of one piece leave in one: a peer can ask for thousands in it. */
  void sayAnswers() {
    if (answers.size() > 0) {
      write(answers.toByteArray());
      answers.reset();
    }
  }

  void write(byte[] bytes) {
    count(bytes.length);
    connection.write(bytes);
  }

  private void count(int change) {
    unwritten += change;
    waiting.add(change);
  }

  /**
   * The operating system has taken bytes.
   *
   * @return whether reading had to wait for that
   */
  boolean onWritten(int bytes) {
    count(-bytes);
    boolean resumes = readingWaits && unwritten == 0;
    readingWaits &= !resumes;
    return resumes;
  }

  /** Whether the JVM is not to be read now, but when {@link #onWritten} says so. */
  boolean holdsReadingUp() {
    readingWaits = unwritten > 0;
    return readingWaits;
  }

  int unwritten() {
    return unwritten;
  }

  /** The connection is over, and takes nothing any more. */
  void forget() {
    count(-unwritten);
  }
}
