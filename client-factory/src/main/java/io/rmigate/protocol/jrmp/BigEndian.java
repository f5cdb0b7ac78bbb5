package io.rmigate.protocol.jrmp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Network-order numbers in byte arrays; an index outside the array throws, as for the array. */
public final class BigEndian {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  public static int unsignedShort(byte[] b, int at) {
    return (short) SHORT.get(b, at) & 0xFFFF;
  }

  public static short int16(byte[] b, int at) {
    return (short) SHORT.get(b, at);
  }

  public static int int32(byte[] b, int at) {
    return (int) INT.get(b, at);
  }

  public static long int64(byte[] b, int at) {
    return (long) LONG.get(b, at);
  }

  public static void putInt16(byte[] b, int at, short value) {
    SHORT.set(b, at, value);
  }

  public static void putInt32(byte[] b, int at, int value) {
    INT.set(b, at, value);
  }

  public static void putInt64(byte[] b, int at, long value) {
    LONG.set(b, at, value);
  }

  private BigEndian() {}
}
