package io.rmigate.client.socket;

import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.MessageEnd;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * One Call as it comes from a socket. JRMP gives it no length, and within a JVM its end is the
 * first read after it, which cannot be seen from here. So it ends where its grammar says that it
 * may, when nothing more has come.
 *
 * <p>That can be too early: the bytes so far may be a whole Call of fewer arguments, and of what
 * holds an unknown Externalizable the grammar knows no end at all. It shows when the client goes on
 * before it has been answered. Then the server has not got the Call either, since it waits for the
 * very arguments that are still coming; so the whole Call, which is kept until its answer begins,
 * is sent anew by another stream, and executed once.
 *
 * <p>A gateway that looks into calls waits for the end of those, too, which are longer than what it
 * holds of any other. So they are kept and ended in the same way. One that is longer still, or none
 * by the grammar, goes on as it comes where the gateway waits for no end: its server gets it, and
 * shows where it has ended by answering. Such a one is not kept. Confined to one thread.
 */
final class GrowingCall {
  /** Most bytes of a Call that are kept; a Call is not carried if more must be kept. */
  static final int MAX_BYTES = 64 * 1024 * 1024;

  /** A little more than what a gateway looks into unless it is told otherwise, if there is room. */
  private static final long KEPT_BYTES =
      Math.min(16 * 1024 * 1024 + 64 * 1024, Runtime.getRuntime().maxMemory() / 4);

  private static final int FIRST_BUFFER_BYTES = 1024;
  private static final int PIECE_BYTES = 16 * 1024;

  /** State of the Call so far. */
  enum State {
    /** More must come. */
    GOING_ON,
    /** The Call may be whole. */
    ENDED,
    /** The client has broken it off, or it is none. */
    BROKEN
  }

  private final io.rmigate.protocol.jrmp.GrowingCall grammar =
      new io.rmigate.protocol.jrmp.GrowingCall(null);

  private byte[] bytes = new byte[FIRST_BUFFER_BYTES];
  private int length;

  /** Begins with the code of a Call, which has been read. */
  GrowingCall() {
    bytes[0] = Jrmp.CALL;
    length = 1;
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  /** Whether the Call is kept until it may be whole. */
  boolean isKept() {
    return length <= KEPT_BYTES;
  }

  /** Drops the bytes: the Call is not sent again. */
  void forget() {
    bytes = new byte[0];
    length = 0;
  }

  /** Adds one more byte, which was read to see whether there is one. */
  void add(int one) throws IOException {
    reserve(1);
    bytes[length++] = (byte) one;
  }

  /**
   * Reads what comes next, waiting for it.
   *
   * @return how many bytes; −1 when the client has gone
   */
  int readFrom(InputStream in) throws IOException {
    reserve(Math.min(PIECE_BYTES, Math.max(FIRST_BUFFER_BYTES, length)));
    int count = in.read(bytes, length, Math.min(PIECE_BYTES, bytes.length - length));
    length += Math.max(0, count);
    return count;
  }

  private void reserve(int more) throws IOException {
    if (length + more > MAX_BYTES) {
      throw new IOException("a call of more than " + MAX_BYTES + " bytes is not carried");
    }
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.min(MAX_BYTES, Math.max(length + more, 2 * bytes.length)));
    }
  }

  /** Asked when nothing more is there right now. */
  State state() {
    MessageEnd end = grammar.end(bytes, length);
    if (end instanceof MessageEnd.Truncated) {
      return State.GOING_ON;
    }
    if (end instanceof MessageEnd.Unparseable) {
      return State.ENDED; // unless more comes
    }
    return end instanceof MessageEnd.Complete whole && whole.end() == length
        ? State.ENDED
        : State.BROKEN;
  }
}
