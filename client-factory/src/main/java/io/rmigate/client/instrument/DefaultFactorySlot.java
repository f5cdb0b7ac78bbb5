package io.rmigate.client.instrument;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.rmi.server.RMISocketFactory;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The two places from which the RMI runtime takes its sockets. The <em>default</em> is a private
 * static of {@link RMISocketFactory} and the better one: applications may still call {@link
 * RMISocketFactory#setSocketFactory}, which succeeds once per JVM, and those that delegate to
 * {@link RMISocketFactory#getDefaultSocketFactory} still come through us. TCPTransport copies it
 * when it is initialized, so it must be set before. The <em>global</em> one is that of
 * setSocketFactory, used when this JDK keeps its default elsewhere, or RMI is in use already.
 */
enum DefaultFactorySlot {
  /** The private static field. */
  DEFAULT("the default socket factory of RMI"),
  /** The once-only public setter. */
  GLOBAL("RMISocketFactory.setSocketFactory, which the application cannot call any more");

  private static final String FIELD = "defaultSocketFactory";
  private static final String COPIES_THE_FIELD = "sun.rmi.transport.tcp.TCPTransport";

  private final String description;

  DefaultFactorySlot(String description) {
    this.description = description;
  }

  /** For logs. */
  String description() {
    return description;
  }

  /**
   * Puts the factory into the best slot there is.
   *
   * @return which one it was
   * @throws IOException neither could be filled
   */
  static DefaultFactorySlot install(RMISocketFactory factory, Instrumentation instrumentation)
      throws IOException {
    Optional<Field> field = openField(instrumentation);
    if (field.isPresent() && !isCopied(instrumentation)) {
      try {
        field.get().set(null, factory);
        if (RMISocketFactory.getDefaultSocketFactory() == factory) {
          return DEFAULT;
        }
      } catch (IllegalAccessException e) {
        // A JDK that does not let the field be written: the other slot remains.
      }
    }
    try {
      RMISocketFactory.setSocketFactory(factory);
      return GLOBAL;
    } catch (IOException e) {
      throw new IOException(
          "RMI's socket factory cannot be set: this JDK ("
              + Runtime.version()
              + ") keeps its default elsewhere, and another agent has called setSocketFactory ("
              + e.getMessage()
              + ")",
          e);
    }
  }

  private static Optional<Field> openField(Instrumentation instrumentation) {
    try {
      Field field = RMISocketFactory.class.getDeclaredField(FIELD);
      if (!Modifier.isStatic(field.getModifiers())
          || Modifier.isFinal(field.getModifiers())
          || field.getType() != RMISocketFactory.class) {
        return Optional.empty();
      }
      Module ours = DefaultFactorySlot.class.getModule();
      instrumentation.redefineModule(
          RMISocketFactory.class.getModule(),
          Set.of(),
          Map.of(),
          Map.of(RMISocketFactory.class.getPackageName(), Set.of(ours)),
          Set.of(),
          Map.of());
      field.setAccessible(true);
      return Optional.of(field);
    } catch (NoSuchFieldException | InaccessibleObjectException e) {
      return Optional.empty();
    }
  }

  private static boolean isCopied(Instrumentation instrumentation) {
    for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
      if (loaded.getName().equals(COPIES_THE_FIELD)) {
        return true;
      }
    }
    return false;
  }
}
