package io.rmigate.client.instrument;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Arrays;

/**
 * Notices that the JVM is about to export its first remote object, by the loading of the class that
 * does it, and has something done before it goes on. Changes no class. A JVM that exports nothing
 * is left alone.
 *
 * <p>Called on threads that load classes, the application's: what is to be done must not need the
 * class that is being loaded, which waits for it.
 */
final class FirstExport implements ClassFileTransformer {
  /**
   * Loaded before the first live reference of an exported object is made, which has its host from
   * then on. (That of a registry is made before; but a stub of the registry itself is not passed
   * on, and clients load its class too.)
   */
  private static final String EXPORTING = "sun/rmi/server/UnicastServerRef";

  private final Instrumentation instrumentation;
  private final Runnable before;

  private FirstExport(Instrumentation instrumentation, Runnable before) {
    this.instrumentation = instrumentation;
    this.before = before;
  }

  /**
   * Has {@code before} run before the first export; at once, if the JVM exports already.
   *
   * @param before must be quick when it is run again
   */
  static void watch(Instrumentation instrumentation, Runnable before) {
    FirstExport watch = new FirstExport(instrumentation, before);
    instrumentation.addTransformer(watch);
    if (Arrays.stream(instrumentation.getAllLoadedClasses())
        .anyMatch(loaded -> loaded.getName().equals(EXPORTING.replace('/', '.')))) {
      instrumentation.removeTransformer(watch);
      before.run();
    }
  }

  @Override
  public byte[] transform(
      ClassLoader loader,
      String className,
      Class<?> redefined,
      ProtectionDomain domain,
      byte[] bytes) {
    if (EXPORTING.equals(className)) {
      instrumentation.removeTransformer(this);
      before.run();
    }
    return null;
  }
}
