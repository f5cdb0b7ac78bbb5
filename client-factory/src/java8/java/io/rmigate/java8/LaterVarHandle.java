package io.rmigate.java8;

/** The class java.lang.invoke.VarHandle, for numbers in byte arrays, the highest byte first. */
public final class LaterVarHandle {
  private LaterVarHandle() {}

  static final LaterVarHandle BIG_ENDIAN = new LaterVarHandle();

  public short getShort(byte[] bytes, int at) {
    return (short) (bytes[at] << 8 | bytes[at + 1] & 0xff);
  }

  public int getInt(byte[] bytes, int at) {
    return bytes[at] << 24
        | (bytes[at + 1] & 0xff) << 16
        | (bytes[at + 2] & 0xff) << 8
        | bytes[at + 3] & 0xff;
  }

  public long getLong(byte[] bytes, int at) {
    return (long) getInt(bytes, at) << 32 | getInt(bytes, at + 4) & 0xffffffffL;
  }

  public void setShort(byte[] bytes, int at, short value) {
    // The last byte first: it fails, and nothing is written, where there is no room.
    bytes[at + 1] = (byte) value;
    bytes[at] = (byte) (value >> 8);
  }

  public void setInt(byte[] bytes, int at, int value) {
    bytes[at + 3] = (byte) value;
    bytes[at + 2] = (byte) (value >> 8);
    bytes[at + 1] = (byte) (value >> 16);
    bytes[at] = (byte) (value >> 24);
  }

  public void setLong(byte[] bytes, int at, long value) {
    setInt(bytes, at + 4, (int) value);
    setInt(bytes, at, (int) (value >> 32));
  }
}
