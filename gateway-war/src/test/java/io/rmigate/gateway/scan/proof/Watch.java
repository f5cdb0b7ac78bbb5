package io.rmigate.gateway.scan.proof;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What {@link WatchedClasses} call while a message is read: it counts, and stops what does harm.
 * Confined to one thread.
 */
public final class Watch {
  /** Ends what does harm; no class of a world catches it. */
  @SuppressWarnings("serial")
  static final class Stop extends Error {
    Stop(String what) {
      super(what, null, false, false);
    }
  }

  /** Elements of an array; more count as harm. */
  private static final int MOST_ELEMENTS = 1 << 18;

  private static final int MOST_FINALIZED = 5;

  /** Methods that objects of the JDK call again and again, which the scanner bounds. */
  private static final Set<String> HASHING =
      Set.of("hashCode", "equals", "compareTo", "compare", "toString");

  private static boolean on;
  private static boolean initializing;
  private static boolean scannerBoundsHashing;
  private static long left;
  private static String harm = "";
  private static final List<Object> FINALIZABLE = new ArrayList<>();

  private Watch() {}

  /**
   * Begins to count.
   *
   * @param bounded whether the scanner bounds what hashing takes of this message
   */
  static void start(boolean bounded) {
    scannerBoundsHashing = bounded;
    harm = "";
    FINALIZABLE.clear();
    on = true;
  }

  /** Begins to count while classes are initialized, which does no harm but may take long. */
  static void startInitializers(long steps) {
    start(false);
    initializing = true;
    left = steps;
  }

  /** How many steps there may be from now on. */
  static void allow(long steps) {
    left = steps;
  }

  static void stop() {
    on = false;
    initializing = false;
  }

  /** What harm was done; empty for none. */
  static String harm() {
    return harm;
  }

  /** Objects that code has made and that have a finalizer. */
  static List<Object> finalizable() {
    return List.copyOf(FINALIZABLE);
  }

  private static Stop harmful(String what) {
    if (harm.isEmpty()) {
      harm = what;
    }
    return new Stop(harm);
  }

  /** In place of the sink. */
  public static String fire(String name, String value) {
    if (on && !initializing) {
      throw harmful("fired");
    }
    return value;
  }

  /** A method begins, or a loop goes round. */
  public static void step() {
    if (on && --left < 0) {
      throw scannerBoundsHashing && isHashing() ? new Stop("hashing") : harmful("steps");
    }
  }

  private static boolean isHashing() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames.anyMatch(
                    frame ->
                        frame.getClassName().startsWith("w")
                            && HASHING.contains(frame.getMethodName())));
  }

  /** An array is made. */
  public static void array(int length) {
    if (on && length > MOST_ELEMENTS) {
      throw harmful("array");
    }
  }

  /** A collection or a text as large as a number is made. */
  public static void capacity(int size) {
    if (on && size > MOST_ELEMENTS) {
      throw harmful("memory");
    }
  }

  /** An object with a finalizer is made. */
  public static void made(Object object) {
    if (on && FINALIZABLE.size() < MOST_FINALIZED) {
      FINALIZABLE.add(object);
    }
  }
}
