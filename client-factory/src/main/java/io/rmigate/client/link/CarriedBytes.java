package io.rmigate.client.link;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Unconfirmed;
import java.util.Arrays;

/**
 * The bytes of one session over all its connections: how far each side has received, what the
 * gateway has not confirmed, and what comes twice after a resumption (PROTOCOL.md, section 6,
 * "Resume"). Guarded by the lock of the {@link Carrier}.
 */
final class CarriedBytes {
  private static final byte[] NOTHING = new byte[0];

  private final Unconfirmed unconfirmed = new Unconfirmed();

  /** Whether sent bytes are kept until they are confirmed. */
  private boolean isKeeping;

  private long received;
  private long acknowledged;

  /** How many of the next bytes have come on the connection before. */
  private long repeated;

  /** Came in one piece with the welcome of a resumed session. Read before any other byte. */
  private byte[] early = NOTHING;

  /** How much had been received when the current connection was made. */
  private long receivedBefore;

  /** How much had been confirmed when the current connection was made. */
  private long confirmedBefore;

  CarriedBytes(boolean isKeeping) {
    this.isKeeping = isKeeping;
  }

  /** The session will not be resumed: sent bytes need not be kept. */
  void stopKeeping() {
    isKeeping = false;
    unconfirmed.clear();
  }

  void onSent(byte[] bytes, int offset, int length) {
    if (isKeeping) {
      unconfirmed.append(bytes, offset, length);
    }
  }

  /** The gateway has everything before {@code position}. */
  void confirm(long position) throws ProtocolViolationException {
    unconfirmed.confirm(position);
  }

  boolean isFull() {
    return unconfirmed.size() >= Tunnel.MAX_UNCONFIRMED_BYTES;
  }

  /** Behind the last byte that was sent; 0 when nothing is kept. */
  long sent() {
    return unconfirmed.end();
  }

  /** Bytes that the gateway has not confirmed. */
  int unconfirmed() {
    return unconfirmed.size();
  }

  long received() {
    return received;
  }

  boolean hasEarly() {
    return early.length > 0;
  }

  /** Takes bytes that came with the welcome; there are some. */
  int takeEarly(byte[] buffer, int offset, int length) {
    int count = Math.min(length, early.length);
    System.arraycopy(early, 0, buffer, offset, count);
    early = count == early.length ? NOTHING : Arrays.copyOfRange(early, count, early.length);
    received += count;
    return count;
  }

  /**
   * Bytes have come; those that had come on the connection before are removed from the buffer.
   *
   * @return how many are left
   */
  int onReceived(byte[] buffer, int offset, int count) {
    int known = (int) Math.min(repeated, count);
    repeated -= known;
    System.arraycopy(buffer, offset + known, buffer, offset, count - known);
    received += count - known;
    return count - known;
  }

  /**
   * The position to acknowledge; −1 while that is not needed.
   *
   * @param fewestBytes how many bytes need not be acknowledged
   */
  long acknowledgement(int fewestBytes) {
    if (received - acknowledged <= fewestBytes) {
      return -1;
    }
    acknowledged = received;
    return received;
  }

  /** Whether the current connection has brought or confirmed bytes. */
  boolean hasProgressed() {
    return received > receivedBefore || unconfirmed.begin() > confirmedBefore;
  }

  /** The current connection is lost. */
  void onLost() {
    early = NOTHING;
    repeated = 0;
  }

  /**
   * The gateway resumes the session.
   *
   * @param position how much it has received
   * @param told the position that the hello gave
   */
  void agree(long position, long told) throws ProtocolViolationException {
    if (!unconfirmed.reachesBackTo(position)) {
      throw new ProtocolViolationException(
          "expected to go on from 0x%x to 0x%x, got 0x%x"
              .formatted(unconfirmed.begin(), unconfirmed.end(), position));
    }
    unconfirmed.confirm(position);
    acknowledged = told;
  }

  /** Copies unconfirmed bytes; returns how many, 0 at the end. */
  int copy(long position, byte[] to) {
    return unconfirmed.copy(position, to, to.length);
  }

  /**
   * The session goes on over the next connection.
   *
   * @param told the position that the hello gave
   * @param rest what came in one piece with the welcome
   */
  void onAdopted(long told, byte[] rest) {
    receivedBefore = received;
    confirmedBefore = unconfirmed.begin();
    repeated = received - told;
    int known = (int) Math.min(repeated, rest.length);
    repeated -= known;
    early = Arrays.copyOfRange(rest, known, rest.length);
  }

  /** The session is over. */
  void clear() {
    unconfirmed.clear();
  }
}
