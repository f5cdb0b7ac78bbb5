package io.rmigate.client.link;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Whether the current thread may do I/O on the shared transport connection. Interrupting a virtual
 * thread in socket I/O closes the socket (JDK 21 and later), which here would be everybody's, so
 * virtual threads leave the I/O to others. Platform threads are not interruptible there.
 */
final class CallerThread {
  private static final MethodHandle IS_VIRTUAL = findIsVirtual();

  static boolean mayDoIo() {
    if (IS_VIRTUAL == null) {
      return true;
    }
    try {
      return !(boolean) IS_VIRTUAL.invokeExact(Thread.currentThread());
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static MethodHandle findIsVirtual() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
    } catch (ReflectiveOperationException before21) {
      return null;
    }
  }

  private CallerThread() {}
}
