package io.rmigate.gateway.legacy;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.ClientPreamble;
import io.rmigate.protocol.jrmp.DgcCall;
import io.rmigate.protocol.jrmp.Jrmp;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The body of a POST: nothing, or the header of SingleOpProtocol and one message (RMI
 * specification, sections 10.2 and 10.5).
 *
 * <pre>
 *   4A 52 4D 49  00 02  4C  message
 * </pre>
 */
sealed interface LegacyMessage {

  /** What the client sends to find out whether anybody answers, before it sends anything else. */
  record Probe() implements LegacyMessage {}

  /** Is anybody there? */
  record Ping() implements LegacyMessage {}

  /**
   * The references of a Return are registered.
   *
   * @param uid that the Return bears
   */
  @SuppressWarnings("ArrayRecordComponent") // wire bytes: identity, not value
  record Acknowledgement(byte[] uid) implements LegacyMessage {}

  /** For the collector. */
  record Collector(DgcCall call) implements LegacyMessage {}

  /**
   * For an object. Whether it is one message and no more is for the session to find out.
   *
   * @param bytes from its {@code 50} on
   */
  @SuppressWarnings("ArrayRecordComponent") // wire bytes: identity, not value
  record Call(byte[] bytes) implements LegacyMessage {}

  /** What to count it as. */
  default String kind() {
    return getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads a whole body.
   *
   * @throws ProtocolViolationException it is none
   */
  static LegacyMessage decode(byte[] body, int length) throws ProtocolViolationException {
    if (length == 0) {
      return new Probe();
    }
    int at = message(body, length);
    int rest = length - at;
    if (rest == 1 && body[at] == Jrmp.PING) {
      return new Ping();
    }
    if (rest == 1 + Jrmp.UID_BYTES && body[at] == Jrmp.DGC_ACK) {
      return new Acknowledgement(Arrays.copyOfRange(body, at + 1, length));
    }
    if (rest == 0 || body[at] != Jrmp.CALL) {
      throw new ProtocolViolationException(
          "expected one Call, Ping or DgcAck, got %d bytes".formatted(rest)
              + (rest == 0 ? "" : ", the first 0x%02x".formatted(body[at] & 0xFF)));
    }
    Optional<DgcCall> collector = DgcCall.decode(body, at, rest);
    return collector.isPresent()
        ? new Collector(collector.get())
        : new Call(Arrays.copyOfRange(body, at, length));
  }

  /** Where the message begins. */
  private static int message(byte[] body, int length) throws ProtocolViolationException {
    ClientPreamble preamble = new ClientPreamble();
    int at = 0;
    while (at < length && !preamble.hasHeader()) {
      preamble.take(body[at++]);
    }
    if (!preamble.isSingleOp()) {
      throw new ProtocolViolationException("expected the header of SingleOpProtocol");
    }
    return at;
  }
}
