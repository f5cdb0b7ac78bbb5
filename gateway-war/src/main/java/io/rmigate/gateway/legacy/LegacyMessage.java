package io.rmigate.gateway.legacy;

import io.rmigate.gateway.stream.HeldPieces;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.ClientPreamble;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.message.DgcCall;
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

  /** The first request of a client, with which it finds out whether a server answers. */
  record Probe() implements LegacyMessage {}

  /** A Ping of JRMP. */
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

  /** The word by which the message is counted. */
  default String kind() {
    return getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads a whole body.
   *
   * @throws ProtocolViolationException it is none
   */
  static LegacyMessage decode(HeldPieces body) throws ProtocolViolationException {
    if (body.size() == 0) {
      return new Probe();
    }
    expectHeader(body.copyOfRange(0, Math.min(ClientPreamble.HEADER_BYTES, body.size())));
    byte[] message = body.copyOfRange(ClientPreamble.HEADER_BYTES, body.size());
    if (message.length == 1 && message[0] == Jrmp.PING) {
      return new Ping();
    }
    if (message.length == 1 + Jrmp.UID_BYTES && message[0] == Jrmp.DGC_ACK) {
      return new Acknowledgement(Arrays.copyOfRange(message, 1, message.length));
    }
    if (message.length == 0 || message[0] != Jrmp.CALL) {
      throw new ProtocolViolationException(
          "expected one Call, Ping or DgcAck, got %d bytes".formatted(message.length)
              + (message.length == 0 ? "" : ", the first 0x%02x".formatted(message[0] & 0xFF)));
    }
    Optional<DgcCall> collector = DgcCall.decode(message, 0, message.length);
    return collector.isPresent() ? new Collector(collector.get()) : new Call(message);
  }

  private static void expectHeader(byte[] header) throws ProtocolViolationException {
    ClientPreamble preamble = new ClientPreamble();
    for (byte next : header) {
      preamble.take(next);
    }
    if (!preamble.isSingleOp()) {
      throw new ProtocolViolationException("expected the header of SingleOpProtocol");
    }
  }
}
