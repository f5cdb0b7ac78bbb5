package io.rmigate.soap.json;

import io.rmigate.soap.http.BodyRoom;
import io.rmigate.soap.type.Binary;
import io.rmigate.soap.type.Enumeration;
import io.rmigate.soap.type.Scalar;
import io.rmigate.soap.type.Sequence;
import io.rmigate.soap.type.Shape;
import io.rmigate.soap.type.Structure;
import java.io.IOException;
import java.util.function.LongSupplier;

/**
 * Room for the values of a request: two brackets are enough for an object with a hundred fields.
 * What they take in memory is estimated, and room is taken in pieces for what goes beyond the bytes
 * that have been read, for which there is room already. Of one request.
 */
final class ValueRoom {
  /** Taken at a time. */
  private static final int PIECE = 64 << 10;

  private static final int OBJECT = 16;
  private static final int SLOT = 8;
  private static final int TEXT = 48;
  private static final int COLLECTION = 64;

  /** In a list: a slot, and what an element that is no object otherwise is put into. */
  private static final int ELEMENT = SLOT + OBJECT;

  /** In a set or map: a node of a table, its slot, and room to grow. */
  private static final int ENTRY = 64;

  private final BodyRoom room;
  private final LongSupplier bytesRead;
  private long needed;
  private long taken;

  /**
   * @param bytesRead of the body so far
   */
  ValueRoom(BodyRoom room, LongSupplier bytesRead) {
    this.room = room;
    this.bytesRead = bytesRead;
  }

  /**
   * A value of that shape comes; what is in it is told by itself.
   *
   * @throws IOException there is no room for it
   */
  void onValue(Shape shape) throws IOException {
    if (shape instanceof Scalar scalar) {
      take(scalar.javaType().isPrimitive() ? 0 : isText(scalar) ? TEXT : OBJECT);
    } else if (shape instanceof Structure structure) {
      take(OBJECT + SLOT * structure.properties().size());
    } else if (shape instanceof Sequence sequence) {
      take(sequence.javaType().isArray() ? OBJECT : COLLECTION);
    } else if (!(shape instanceof Enumeration)) {
      take(shape instanceof Binary ? OBJECT : COLLECTION);
    }
  }

  private static boolean isText(Scalar scalar) {
    return scalar.kind() == Scalar.Kind.TEXT || scalar.kind() == Scalar.Kind.EXACT;
  }

  /** Another element of a sequence comes. */
  void onElement(Sequence sequence) throws IOException {
    take(sequence.javaType().isArray() ? SLOT : sequence.unique() ? ENTRY : ELEMENT);
  }

  /** Another entry of a map comes. */
  void onEntry() throws IOException {
    take(ENTRY);
  }

  /**
   * Takes room for a text of {@code length} characters or bytes.
   *
   * @param wide whether one of the characters needs two bytes
   */
  void onContent(int length, boolean wide) throws IOException {
    take(wide ? 2L * length : length);
  }

  private void take(long bytes) throws IOException {
    needed += bytes;
    long beyond = needed - bytesRead.getAsLong();
    if (beyond > taken) {
      long more = Math.max(PIECE, beyond - taken);
      room.take(more);
      taken += more;
    }
  }
}
