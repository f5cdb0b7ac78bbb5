package io.rmigate.protocol.jrmp;

import java.util.concurrent.ThreadLocalRandom;

/**
 * An ObjID in the form in which Calls and live references carry it: 22 raw bytes, big-endian (RMI
 * specification, section 10.2.3, {@code ObjectIdentifier}). It identifies an exported object within
 * its server; the last three parts are the UID of the address space that made it.
 *
 * <p>As a serialized object the same data stand in another order (fields by name): see {@link
 * DgcCall}.
 *
 * @param objNum the object number: a small constant for well-known objects, else random
 * @param unique part of the UID
 * @param time part of the UID, milliseconds
 * @param count part of the UID
 */
public record ObjIdentifier(long objNum, int unique, long time, short count) {
  /** The registry of a server. */
  public static final ObjIdentifier REGISTRY = wellKnown(0);

  /** The activator; gone since JDK 17. */
  public static final ObjIdentifier ACTIVATOR = wellKnown(1);

  /** The distributed garbage collector of a server. */
  public static final ObjIdentifier DGC = wellKnown(2);

  private static final long SECRET = ThreadLocalRandom.current().nextLong();

  /** Odd, its bits without a pattern. */
  private static final long MIXER = 0x9E3779B97F4A7C15L;

  private static ObjIdentifier wellKnown(int objNum) {
    return new ObjIdentifier(objNum, 0, 0, (short) 0);
  }

  /**
   * Reads the raw form.
   *
   * @throws IndexOutOfBoundsException when the array does not hold 22 bytes from there
   */
  public static ObjIdentifier decode(byte[] b, int off) {
    return new ObjIdentifier(
        BigEndian.int64(b, off),
        BigEndian.int32(b, off + 8),
        BigEndian.int64(b, off + 12),
        BigEndian.int16(b, off + 20));
  }

  /** The raw form. */
  public byte[] encode() {
    byte[] b = new byte[Jrmp.OBJ_ID_BYTES];
    BigEndian.putInt64(b, 0, objNum);
    BigEndian.putInt32(b, 8, unique);
    BigEndian.putInt64(b, 12, time);
    BigEndian.putInt16(b, 20, count);
    return b;
  }

  // Written out: equals and hashCode of records load java.lang.invoke at the start of a program.
  @Override
  public boolean equals(Object other) {
    return other instanceof ObjIdentifier id
        && objNum == id.objNum
        && unique == id.unique
        && time == id.time
        && count == id.count;
  }

  /** With a secret: peers choose these numbers, and could choose them so that all collide. */
  @Override
  public int hashCode() {
    long mixed = (SECRET ^ objNum) * MIXER;
    mixed = (mixed ^ (mixed >>> 32) ^ time) * MIXER;
    mixed = (mixed ^ (mixed >>> 32) ^ unique ^ ((long) count << 32)) * MIXER;
    return (int) (mixed >>> 32);
  }

  /** As {@code java.rmi.server.ObjID} prints it, in hexadecimal. */
  @Override
  public String toString() {
    String number = Long.toHexString(objNum);
    return unique == 0 && time == 0 && count == 0
        ? number
        : "%x:%x:%x, %s".formatted(unique, time, count, number);
  }
}
