package io.rmigate.client.socket;

import io.rmigate.protocol.tunnel.Tunnel;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * The bytes of one request: the bytes that are still to be sent, and the sent parts of a Call,
 * which are sent again when the link is lost before any of them has left. Confined to the thread
 * that writes.
 */
final class RequestBuffer {
  private static final int FIRST_BYTES = 512;

  /**
   * A clean names all references that the JVM has dropped at once, 34 bytes each. This holds more
   * references than any gateway holds for one session by default.
   */
  private static final int MAX_COLLECTOR_CALL_BYTES = 16 * 1024 * 1024;

  /** A link without a connection takes less than this (PROTOCOL.md, section 6) and then waits. */
  private static final int MAX_UNSENT_BYTES = 2 * Tunnel.MAX_UNCONFIRMED_BYTES;

  /** Never written to. */
  private static final ByteArrayOutputStream NOTHING_SENT = new ByteArrayOutputStream(0);

  private byte[] bytes = new byte[FIRST_BYTES];
  private int length;

  /** The parts of the Call that were sent before {@code bytes}; null when they are too long. */
  private ByteArrayOutputStream sentParts = NOTHING_SENT;

  /** The number of bytes of a Call that are kept before a part of it is sent. */
  private int limit = Tunnel.MAX_BODY_BYTES;

  /**
   * The length of the Call's last part, which was sent and is still in {@code bytes}, with all
   * parts before it in {@code sentParts}; else 0.
   */
  private int unanswered;

  void beginCall() {
    sentParts = NOTHING_SENT;
    limit = Tunnel.MAX_BODY_BYTES;
  }

  /** The unsent bytes, from index 0 to {@link #length}. */
  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  boolean isFull() {
    return length == limit;
  }

  /** Lets a collector's Call grow beyond one frame; false when it has grown to the end already. */
  boolean raiseLimit() {
    boolean raised = limit < MAX_COLLECTOR_CALL_BYTES;
    limit = MAX_COLLECTOR_CALL_BYTES;
    return raised;
  }

  /** Makes room for bytes of a Call; returns for how many of {@code wanted}. */
  int reserveForCall(int wanted) {
    reserve(Math.min(wanted, limit - length));
    return Math.min(wanted, Math.min(bytes.length, limit) - length);
  }

  void reserve(int more) {
    if (bytes.length - length < more) {
      int doubled = Math.max(length + more, bytes.length * 2);
      // Odd host lengths aside, what is buffered is at most a frame's body, or a collector's Call.
      bytes = Arrays.copyOf(bytes, Math.max(length + more, Math.min(doubled, limit)));
    }
  }

  /** Appends bytes for which room was reserved. */
  void append(byte[] source, int offset, int count) {
    System.arraycopy(source, offset, bytes, length, count);
    length += count;
  }

  /** Replaces the unsent bytes; keeps the array. */
  void replace(byte[] content) {
    bytes = content;
    length = content.length;
  }

  void clear() {
    length = 0;
  }

  /** Undoes {@link #clear}: the first {@code count} bytes are to be sent again. */
  void restore(int count) {
    length = count;
  }

  /** Forgets the request, and gives back the memory of a large one. */
  void drop() {
    length = 0;
    sentParts = NOTHING_SENT;
    if (bytes.length > Tunnel.MAX_BODY_BYTES / 2) {
      bytes = new byte[FIRST_BYTES]; // pooled connections are many, large Calls few
    }
  }

  /**
   * Keeps a part of the Call that was sent and is not the last.
   *
   * @param canStayUnsent whether the link may still lose the part before it leaves
   */
  void keepSent(int count, boolean canStayUnsent) {
    if (sentParts == null) {
      return;
    }
    if (!canStayUnsent || sentParts.size() + count > MAX_UNSENT_BYTES) {
      sentParts = null;
    } else {
      sentParts = sentParts == NOTHING_SENT ? new ByteArrayOutputStream(2 * count) : sentParts;
      sentParts.write(bytes, 0, count);
    }
  }

  /** Whether all bytes of the Call are still here. */
  boolean isComplete() {
    return sentParts != null;
  }

  /** Keeps the last part of a Call, which was sent, until its Return begins. */
  void keepLast(int count) {
    unanswered = sentParts == null ? 0 : count;
  }

  /** The length of the last part while the Call can be sent again; else 0. */
  int unanswered() {
    return unanswered;
  }

  /** Forgets a Call that is not to be sent again, if there is one. */
  void dropUnanswered() {
    if (unanswered > 0) {
      unanswered = 0;
      drop();
    }
  }

  /** The bytes of a Call whose last part is still here may be overwritten. */
  void endUnanswered() {
    unanswered = 0;
  }

  /**
   * Makes all of the Call unsent again.
   *
   * @param count the bytes in {@link #bytes} whose sending has failed
   * @return the length of the whole Call so far
   */
  int rejoin(int count) {
    int before = sentParts.size();
    if (before > 0) {
      byte[] all = Arrays.copyOf(sentParts.toByteArray(), before + count);
      System.arraycopy(bytes, 0, all, before, count);
      bytes = all;
      sentParts = NOTHING_SENT;
    }
    length = before + count;
    return length;
  }
}
