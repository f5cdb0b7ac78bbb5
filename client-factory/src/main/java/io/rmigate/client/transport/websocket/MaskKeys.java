package io.rmigate.client.transport.websocket;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/**
 * Masking keys of one connection. RFC 6455 §5.3 wants each from a strong source and none to tell
 * the next; §10.3 says why: code that chooses the payload must not be able to choose the bytes on
 * the wire, or caches on the way could be made to see a request there. So they come from {@link
 * SecureRandom}, not from a cheaper generator whose state two keys would give away; taken 128 at a
 * time that costs a few nanoseconds a frame and no allocation.
 *
 * <p>Guarded by the lock of the writer that owns it.
 */
final class MaskKeys {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final int BATCH_BYTES = 128 * Integer.BYTES;

  private final SecureRandom random;
  private final byte[] batch = new byte[BATCH_BYTES];
  private int next = BATCH_BYTES;

  MaskKeys(SecureRandom random) {
    this.random = random;
  }

  int next() {
    if (next == BATCH_BYTES) {
      random.nextBytes(batch);
      next = 0;
    }
    int key = (int) INT.get(batch, next);
    next += Integer.BYTES;
    return key;
  }
}
