package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;

/**
 * The end of what one side has sent in a session: the bytes that the other side has not confirmed,
 * and which go out again on the next transport connection. A ring that grows with what is in it. A
 * large one is given back when nothing is in it; others stay for the next bytes, which as a rule
 * are as many, until {@link #giveBackIfIdle}. Not thread-safe.
 */
public final class Unconfirmed {
  private static final int SMALLEST = 4 * 1024;
  private static final int LARGE = 256 * 1024;
  private static final byte[] NONE = new byte[0];

  private byte[] ring = NONE;
  private int first;
  private int size;
  private long confirmed;

  /** Position that was confirmed at the last call of {@link #giveBackIfIdle}. */
  private long idleSince;

  /** Appends sent bytes, which are kept until they are confirmed. */
  public void append(byte[] from, int offset, int length) {
    reserve(length);
    int at = (first + size) & (ring.length - 1);
    int untilEnd = Math.min(length, ring.length - at);
    System.arraycopy(from, offset, ring, at, untilEnd);
    System.arraycopy(from, offset + untilEnd, ring, 0, length - untilEnd);
    size += length;
  }

  private void reserve(int more) {
    if (more == 0 || ring.length - size >= more) {
      return;
    }
    resize(size + more);
  }

  private void resize(int atLeast) {
    byte[] other = new byte[Math.max(SMALLEST, Integer.highestOneBit(atLeast - 1) << 1)];
    copy(confirmed, other, size);
    ring = other;
    first = 0;
  }

  /** Position behind the last byte that was appended; the first one of the session is at 0. */
  public long end() {
    return confirmed + size;
  }

  /** Position of the first byte that is kept. */
  public long begin() {
    return confirmed;
  }

  /** How many bytes are kept. */
  public int size() {
    return size;
  }

  /**
   * The other side has everything before {@code position}. One from before the latest is ignored.
   *
   * @throws ProtocolViolationException that was never sent
   */
  public void confirm(long position) throws ProtocolViolationException {
    if (position > end()) {
      throw new ProtocolViolationException(
          "expected a confirmation of at most 0x%x bytes, got 0x%x".formatted(end(), position));
    }
    int gone = (int) Math.max(0, position - confirmed);
    if (gone > 0) {
      confirmed += gone;
      size -= gone;
      first = (first + gone) & (ring.length - 1);
      if (size == 0 && ring.length > LARGE) {
        ring = NONE;
        first = 0;
      } else if (ring.length > LARGE && size < ring.length / 8) {
        resize(2 * size);
      }
    }
  }

  /** Gives the ring back if there was nothing in it since the last call. Called now and then. */
  public void giveBackIfIdle() {
    if (size == 0 && confirmed == idleSince && ring.length > SMALLEST) {
      ring = NONE;
      first = 0;
    }
    idleSince = confirmed;
  }

  /** Whether a peer that has everything before {@code position} can go on from there. */
  public boolean reachesBackTo(long position) {
    return position >= confirmed && position <= end();
  }

  /**
   * Copies what comes at and after {@code position}.
   *
   * @param position not before {@link #begin}
   * @return how many bytes were copied; 0 at the end
   */
  public int copy(long position, byte[] to, int atMost) {
    int skipped = (int) (position - confirmed);
    int length = Math.min(Math.min(atMost, to.length), size - skipped);
    if (length > 0) {
      int at = (first + skipped) & (ring.length - 1);
      int untilEnd = Math.min(length, ring.length - at);
      System.arraycopy(ring, at, to, 0, untilEnd);
      System.arraycopy(ring, 0, to, untilEnd, length - untilEnd);
    }
    return Math.max(0, length);
  }

  /** Drops all bytes that are kept. */
  public void clear() {
    confirmed += size;
    size = 0;
    first = 0;
    ring = NONE;
  }

  @Override
  public String toString() {
    return "unconfirmed from " + confirmed + " to " + end();
  }
}
