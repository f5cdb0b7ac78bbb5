package io.rmigate.java8;

import java.nio.ByteOrder;

/** Additions to {@link java.lang.invoke.MethodHandles}. */
public final class LaterMethodHandles {
  private LaterMethodHandles() {}

  public static LaterVarHandle byteArrayViewVarHandle(Class<?> array, ByteOrder order) {
    if (order != ByteOrder.BIG_ENDIAN) {
      throw new IllegalArgumentException(order + " is not used");
    }
    return LaterVarHandle.BIG_ENDIAN;
  }
}
