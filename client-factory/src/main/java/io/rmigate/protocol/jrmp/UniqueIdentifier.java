package io.rmigate.protocol.jrmp;

/**
 * A UID in the form in which Returns and DgcAcks carry it: 14 raw bytes, big-endian (RMI
 * specification, section 10.2.3, {@code UniqueIdentifier}).
 *
 * @param unique part of it
 * @param time part of it, milliseconds
 * @param count part of it
 */
public record UniqueIdentifier(int unique, long time, short count) {

  /**
   * Reads the raw form.
   *
   * @throws IndexOutOfBoundsException when the array does not hold 14 bytes from there
   */
  public static UniqueIdentifier decode(byte[] b, int off) {
    return new UniqueIdentifier(
        BigEndian.int32(b, off), BigEndian.int64(b, off + 4), BigEndian.int16(b, off + 12));
  }

  // Written out: equals and hashCode of records load java.lang.invoke at the start of a program.
  @Override
  public boolean equals(Object other) {
    return other instanceof UniqueIdentifier id
        && unique == id.unique
        && time == id.time
        && count == id.count;
  }

  @Override
  public int hashCode() {
    return 31 * (31 * unique + Long.hashCode(time)) + count;
  }
}
