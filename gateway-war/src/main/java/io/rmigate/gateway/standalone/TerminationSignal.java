package io.rmigate.gateway.standalone;

import java.lang.reflect.Proxy;

/**
 * Makes SIGTERM end the JVM with exit code 0 instead of 143: an orderly stop is a success for
 * systemd and Kubernetes. All shutdown hooks run as usual.
 */
final class TerminationSignal {
  private TerminationSignal() {}

  /**
   * Takes over SIGTERM where the JVM has {@code sun.misc.Signal} and signals are ours to handle;
   * elsewhere the exit code stays 143. By reflection, because the compiler rightly warns of the
   * package and there is no other way.
   */
  static void exitWithZero() {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object exit =
          Proxy.newProxyInstance(
              TerminationSignal.class.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) -> {
                if (method.getName().equals("handle")) {
                  System.exit(0);
                }
                return null;
              });
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance("TERM"), exit);
    } catch (ReflectiveOperationException | RuntimeException e) {
      // -Xrs, a JVM without jdk.unsupported, an operating system without SIGTERM
      org.slf4j.LoggerFactory.getLogger(TerminationSignal.class)
          .debug("SIGTERM keeps its usual exit code", e);
    }
  }
}
