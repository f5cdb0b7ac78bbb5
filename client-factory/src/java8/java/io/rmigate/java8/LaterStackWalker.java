package io.rmigate.java8;

import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Stream;

/** The class java.lang.StackWalker. */
public final class LaterStackWalker {
  private LaterStackWalker() {}

  private static final LaterStackWalker WALKER = new LaterStackWalker();

  /** Made once, as the class is initialized: the code of an application may not make one. */
  private static final Context CONTEXT = new Context();

  public static LaterStackWalker getInstance(Option option) {
    return WALKER;
  }

  public <T> T walk(Function<? super Stream<StackFrame>, ? extends T> function) {
    return function.apply(Arrays.stream(CONTEXT.classes()).map(LaterStackWalker::frame));
  }

  private static StackFrame frame(Class<?> declaring) {
    return () -> declaring;
  }

  /** The enum StackWalker.Option. */
  public enum Option {
    RETAIN_CLASS_REFERENCE
  }

  /** The interface StackWalker.StackFrame. */
  public interface StackFrame {
    Class<?> getDeclaringClass();
  }

  /** Knows the classes on the stack. Manages no security. */
  private static final class Context extends SecurityManager {
    Class<?>[] classes() {
      return getClassContext();
    }
  }
}
