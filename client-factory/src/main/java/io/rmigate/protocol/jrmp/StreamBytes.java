package io.rmigate.protocol.jrmp;

import io.rmigate.protocol.jrmp.MessageEnd.Malformed;
import io.rmigate.protocol.jrmp.MessageEnd.Truncated;
import io.rmigate.protocol.jrmp.MessageEnd.Unparseable;
import java.util.Optional;

/**
 * Reads the bytes of one stream, as far as they have come, and stops where they cannot be what they
 * should be. For one thread.
 */
abstract class StreamBytes {
  byte[] buf;
  int limit;

  /** The index of the next token. */
  int pos;

  /** The byte there. */
  final int peek() throws Stop {
    if (pos == limit) {
      throw truncated();
    }
    return buf[pos];
  }

  /** Requires {@code bytes} bytes from {@link #pos} on. */
  final void need(long bytes) throws Stop {
    need(bytes, pos);
  }

  /** Requires {@code bytes} bytes from index {@code at} on. */
  final void need(long bytes, int at) throws Stop {
    if (limit - at < bytes) {
      throw truncated();
    }
  }

  /** The JDK stops in the middle of a text that is none. */
  final void text(int at, int length) throws Stop {
    if (!ModifiedUtf8.isValid(buf, at, length)) {
      throw malformed("not modified UTF-8", at);
    }
  }

  /** Bytes of a value of a primitive type; 0 for the letter of any other type. */
  static int sizeOf(byte typeCode) {
    return switch (typeCode) {
      case 'B', 'Z' -> 1;
      case 'C', 'S' -> 2;
      case 'F', 'I' -> 4;
      case 'D', 'J' -> 8;
      default -> 0;
    };
  }

  final Stop malformed(String reason) {
    return malformed(reason, pos);
  }

  static Stop malformed(String reason, int at) {
    return new Stop(new Malformed(reason, at));
  }

  static Stop truncated() {
    return new Stop(Truncated.INSTANCE);
  }

  static Stop limit(String reason) {
    return new Stop(new Unparseable(reason, Optional.empty()));
  }

  /** Ends the parse early; without a stack trace, as hostile input throws it at will. */
  static final class Stop extends Exception {
    private static final long serialVersionUID = 1L;

    final transient MessageEnd end;

    Stop(MessageEnd end) {
      super(null, null, false, false);
      this.end = end;
    }
  }
}
