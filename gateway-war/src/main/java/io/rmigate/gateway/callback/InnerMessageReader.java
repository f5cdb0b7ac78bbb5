package io.rmigate.gateway.callback;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.ClientPreamble;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.jrmp.message.GrowingDgcCall;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * Cuts the bytes of one connection of an inner JVM into messages: messages that the gateway
 * answers, and bytes of messages for the agent.
 *
 * <pre>
 *   PREAMBLE ──► BETWEEN ── 50 ──► HEAD ── for an object ─────► CALL ── Return begins ──► BETWEEN
 *                   │               └───── for the collector ─► COLLECTOR ── its end ───► BETWEEN
 *                   ├── 52 Ping ──► BETWEEN
 *                   └── 54 ───────► ACK ── its end ──► BETWEEN
 * </pre>
 *
 * A Call has no length, but the connection is half duplex: until the first byte of its Return has
 * gone to the inner JVM everything belongs to the Call, and nothing after it does.
 *
 * <p>With SingleOpProtocol one message is taken. Bytes after the beginning of its Return, or after
 * an acknowledgement, are ignored, as servers do; the connection ends with the Return ({@link
 * SingleOpReturn}). Bytes <em>within</em> a Call never are a message of their own, neither here nor
 * at the agent, which is told where messages begin.
 *
 * <p>Guarded by {@link CallbackStream}'s lock.
 */
final class InnerMessageReader {

  /** The header of a Call, as all JDKs write it; no Call is shorter. */
  private static final int HEAD_BYTES = 41;

  private static final int ACK_BYTES = 1 + Jrmp.UID_BYTES;

  /** Ten thousand objects, which is what the JDK takes in one call, need less. */
  private static final int MAX_COLLECTOR_CALL_BYTES = 512 * 1024;

  /** Answers what the agent need not be asked; called from within {@link #onBytes}. */
  interface Answers {

    /** The JVM waits for its preamble to be acknowledged. */
    void onPreamble();

    /** The inner JVM asks for an unsupported protocol. No further bytes are taken. */
    void onOtherProtocol();

    void onPing();

    /** A whole call of the garbage collector. */
    void onCollectorCall(DgcCall call);

    /** The number of bytes kept here changes; returns whether it may. */
    boolean mayKeep(int change);

    /** There is no room for a call of the collector that comes in pieces. To be closed. */
    void onNoRoom();
  }

  /** Takes what is for the agent; called from within {@link #onBytes}. */
  interface Calls {

    /**
     * A Call to an object begins; its bytes follow.
     *
     * @param beginning the first of them, to keep
     */
    void onCall(byte[] beginning);

    /** An acknowledgement begins; its bytes follow. */
    void onAcknowledgement();

    /** Bytes of Calls and acknowledgements. All are to be taken. */
    void onMessageBytes(ByteBuffer bytes);
  }

  private enum Phase {
    PREAMBLE,
    BETWEEN,
    HEAD,
    ACK,
    CALL,
    COLLECTOR,
    /** Further bytes are ignored. */
    OVER
  }

  private final Answers answers;
  private final Calls calls;
  private final ClientPreamble preamble = new ClientPreamble();
  private Phase phase = Phase.PREAMBLE;

  /** The kept bytes of a message that has begun. */
  private byte[] held = new byte[HEAD_BYTES];

  private int heldBytes;

  /** How much of it counts as kept. */
  private int kept;

  /** Null except in COLLECTOR. */
  private GrowingDgcCall collectorCall;

  InnerMessageReader(Answers answers, Calls calls) {
    this.answers = answers;
    this.calls = calls;
  }

  /**
   * Takes all bytes.
   *
   * @throws ProtocolViolationException no JVM says so; nothing more is to be taken
   */
  void onBytes(ByteBuffer in) throws ProtocolViolationException {
    while (in.hasRemaining()) {
      switch (phase) {
        case PREAMBLE -> preamble(in.get());
        case BETWEEN -> begin(in);
        case HEAD -> head(in);
        case ACK -> acknowledgement(in);
        case CALL -> calls.onMessageBytes(in);
        case COLLECTOR -> collect(in);
        case OVER -> in.position(in.limit());
        default -> throw new AssertionError(phase);
      }
    }
  }

  private void preamble(byte next) throws ProtocolViolationException {
    boolean hadHeader = preamble.hasHeader();
    preamble.take(next);
    if (preamble.isOver()) {
      phase = Phase.BETWEEN;
    } else if (preamble.hasHeader() && preamble.asksForOther()) {
      phase = Phase.OVER;
      answers.onOtherProtocol();
    } else if (preamble.hasHeader() && !hadHeader) {
      answers.onPreamble();
    }
  }

  private void begin(ByteBuffer in) throws ProtocolViolationException {
    int code = in.get(in.position());
    switch (code) {
      case Jrmp.PING -> {
        in.get();
        answers.onPing();
        toBetween();
      }
      case Jrmp.DGC_ACK -> phase = Phase.ACK;
      case Jrmp.CALL -> {
        if (in.remaining() >= HEAD_BYTES) { // the usual way: nothing is copied
          byte[] beginning = new byte[HEAD_BYTES];
          in.duplicate().get(beginning);
          toWhom(beginning);
        } else {
          phase = Phase.HEAD;
        }
      }
      default ->
          throw new ProtocolViolationException(
              "expected Call 0x50, Ping 0x52 or DgcAck 0x54, got 0x%02x".formatted(code & 0xFF));
    }
  }

  private void toWhom(byte[] beginning) {
    if (DgcCall.isForCollector(beginning, 0, beginning.length)) {
      collectorCall = new GrowingDgcCall();
      phase = Phase.COLLECTOR;
    } else {
      phase = Phase.CALL;
      calls.onCall(beginning);
    }
  }

  private void head(ByteBuffer in) {
    hold(in, HEAD_BYTES);
    if (heldBytes == HEAD_BYTES) {
      toWhom(held.clone());
      if (phase == Phase.CALL) {
        passHeld();
      }
    }
  }

  private void acknowledgement(ByteBuffer in) {
    hold(in, ACK_BYTES);
    if (heldBytes == ACK_BYTES) {
      calls.onAcknowledgement();
      passHeld();
      toBetween();
    }
  }

  private void hold(ByteBuffer in, int whole) {
    int count = Math.min(whole - heldBytes, in.remaining());
    in.get(held, heldBytes, count);
    heldBytes += count;
  }

  private void passHeld() {
    ByteBuffer bytes = ByteBuffer.wrap(held, 0, heldBytes);
    heldBytes = 0;
    calls.onMessageBytes(bytes);
  }

  private void collect(ByteBuffer in) throws ProtocolViolationException {
    int count = in.remaining();
    if (heldBytes + count > MAX_COLLECTOR_CALL_BYTES) {
      throw new ProtocolViolationException(
          "expected a call of the collector within bounds, got "
              + (heldBytes + count)
              + " bytes of one");
    }
    if (held.length < heldBytes + count) {
      held = Arrays.copyOf(held, Math.max(heldBytes + count, 2 * held.length));
    }
    in.get(held, heldBytes, count);
    heldBytes += count;
    Optional<DgcCall> call = collectorCall.whole(held, heldBytes);
    if (call.isPresent()) {
      forgetHeld();
      toBetween();
      answers.onCollectorCall(call.get());
    } else if (answers.mayKeep(count)) { // a message in one piece takes no share
      kept += count;
    } else {
      answers.onNoRoom();
    }
  }

  private void toBetween() {
    if (phase == Phase.OVER) {
      return; // closed meanwhile
    }
    phase = preamble.isSingleOp() ? Phase.OVER : Phase.BETWEEN;
  }

  /** The first byte of the Return goes to the inner JVM: what it says from here on is new. */
  void onReturnBegins() {
    if (phase == Phase.CALL) {
      toBetween();
    }
  }

  /** Ends the reading: this reader takes no more bytes and forgets those it holds. */
  void close() {
    phase = Phase.OVER;
    forgetHeld();
  }

  private void forgetHeld() {
    answers.mayKeep(-kept);
    kept = 0;
    collectorCall = null;
    held = new byte[HEAD_BYTES];
    heldBytes = 0;
  }

  /** The number of kept bytes that may have to go to the agent. */
  int heldForAgent() {
    return phase == Phase.HEAD || phase == Phase.ACK ? heldBytes : 0;
  }

  /** Whether a message has begun that is not passed on as it comes: its rest must follow soon. */
  boolean isWithin() {
    return phase == Phase.PREAMBLE
        || phase == Phase.HEAD
        || phase == Phase.ACK
        || phase == Phase.COLLECTOR;
  }

  /** Whether one message is all that is taken. */
  boolean isSingleOp() {
    return preamble.isSingleOp();
  }

  /** Whether the inner JVM has nothing to wait for. */
  boolean isResting() {
    return phase == Phase.BETWEEN || phase == Phase.OVER;
  }
}
