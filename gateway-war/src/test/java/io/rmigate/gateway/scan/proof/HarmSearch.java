package io.rmigate.gateway.scan.proof;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Reads random messages in this JVM, and does with their objects what containers and the collector
 * do, to see whether harm is done: the sink is called, static state changes, time or memory is
 * taken without a bound, a host is looked up.
 */
final class HarmSearch {
  private static final long STEPS = 200_000;
  private static final long MEMORY = 6 << 20;

  private static final int TRIGGERS = 8;

  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Map<String, byte[]> files;
  private final Map<String, String> layouts;
  private final Random random;
  private WatchedClasses loader;
  private Map<String, Class<?>> loaded;
  private String before;

  /** Answers of calls that are not used. */
  @SuppressWarnings("UnusedVariable")
  private int answers;

  /** Of one message. */
  private boolean outOfMemory;

  /** Endless recursion takes memory, too, and ends by itself. */
  private boolean outOfStack;

  HarmSearch(Map<String, byte[]> files, Map<String, String> layouts, long seed)
      throws IllegalAccessException {
    this.files = files;
    this.layouts = layouts;
    this.random = new Random(seed);
    load();
  }

  private void load() throws IllegalAccessException {
    loader = new WatchedClasses(files);
    loaded = loader.load();
    before = StaticState.of(loaded.values());
  }

  /**
   * The first harm that one of some messages does.
   *
   * @param permitted names of classes that may be there
   * @param first of these, with which each message begins; all if empty
   * @param wide whether other code may call any method
   */
  Optional<String> find(Set<String> permitted, String first, int messages, boolean wide)
      throws IOException, IllegalAccessException {
    for (int i = 0; i < messages; i++) {
      List<Class<?>> classes = new ArrayList<>();
      for (String name : permitted) {
        Class<?> type = loaded.get(name);
        if (type != null
            && Serializable.class.isAssignableFrom(type)
            && !Modifier.isAbstract(type.getModifiers())
            && (type.isEnum() || !Enum.class.isAssignableFrom(type))) {
          classes.add(type);
        }
      }
      Class<?> begin =
          first.isEmpty()
              ? classes.isEmpty() ? null : classes.get(random.nextInt(classes.size()))
              : loaded.get(first);
      if (begin == null || !classes.contains(begin)) {
        return Optional.empty();
      }
      RandomMessages message = new RandomMessages(random, classes, layouts);
      byte[] bytes = message.of(begin);
      String harm = run(bytes, message, wide);
      if (harm.equals("memory") && run(bytes, message, wide).isEmpty()) {
        harm = ""; // it was that of loading
      }
      if (!harm.isEmpty()) {
        load();
        return Optional.of(harm + " by " + HexFormat.of().formatHex(bytes));
      }
    }
    return Optional.empty();
  }

  private String run(byte[] bytes, RandomMessages message, boolean wide)
      throws IllegalAccessException {
    outOfMemory = false;
    outOfStack = false;
    Watch.start(message.isChain());
    long before0 = THREADS.getCurrentThreadAllocatedBytes();
    List<Object> objects = new ArrayList<>();
    attempt(
        () -> {
          for (Object object : (Object[]) read(bytes)) {
            if (object != null) {
              objects.add(object);
            }
          }
        });
    boolean asked = message.hasUrl() && objects.stream().anyMatch(HarmSearch::isLookedUp);
    for (int i = 0; i < TRIGGERS && !objects.isEmpty(); i++) {
      attempt(() -> perform(objects, wide));
    }
    List<Object> finalizable = new ArrayList<>(Watch.finalizable());
    finalizable.addAll(objects);
    finalizable.forEach(object -> attempt(() -> call(object, WatchedClasses.FINALIZE)));
    Watch.stop();
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before0;
    if (!Watch.harm().isEmpty()) {
      return Watch.harm();
    }
    boolean much = outOfMemory || (allocated > MEMORY && !outOfStack);
    if (much && !message.isChain()) {
      return "memory";
    }
    if (asked) {
      return "name service";
    }
    return StaticState.of(loaded.values()).equals(before) ? "" : "static state";
  }

  private interface Action {
    void run() throws Exception;
  }

  /** What counts is what has been done before it failed. */
  private void attempt(Action action) {
    Watch.allow(STEPS);
    try {
      action.run();
    } catch (OutOfMemoryError much) {
      outOfMemory = true;
    } catch (VirtualMachineError | LinkageError deep) { // perhaps while a lambda was linked
      outOfStack = true;
    } catch (Watch.Stop stopped) {
      // It has been noted.
    } catch (Exception failed) {
      for (Throwable at = failed; at != null; at = at.getCause()) {
        outOfStack |= at instanceof StackOverflowError || at instanceof LinkageError;
        outOfMemory |= at instanceof OutOfMemoryError;
      }
    }
  }

  /** Whether its hash code has been computed, which its stream tells. */
  private static boolean isLookedUp(Object object) {
    if (!(object instanceof URL url)) {
      return false;
    }
    try {
      return !Arrays.equals(written(url), written(new URL(url.toExternalForm())));
    } catch (IOException impossible) {
      return true;
    }
  }

  private static byte[] written(URL url) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(url);
    }
    return bytes.toByteArray();
  }

  private Object read(byte[] bytes) throws IOException, ClassNotFoundException {
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes)) {
          @Override
          protected Class<?> resolveClass(ObjectStreamClass type)
              throws IOException, ClassNotFoundException {
            Class<?> known = loaded.get(type.getName());
            return known != null ? known : Class.forName(type.getName(), false, loader);
          }
        }) {
      return in.readObject();
    }
  }

  private static void call(Object target, String name) throws ReflectiveOperationException {
    Class<?> at = target.getClass();
    for (; at != null && at.getName().startsWith("w"); at = at.getSuperclass()) {
      for (Method method : at.getDeclaredMethods()) {
        if (method.getName().equals(name)) {
          method.setAccessible(true);
          method.invoke(target);
          return;
        }
      }
    }
  }

  private Object any(List<Object> objects) {
    return objects.get(random.nextInt(objects.size()));
  }

  /** One of the calls that containers, or other objects, make. */
  private void perform(List<Object> objects, boolean wide) throws ReflectiveOperationException {
    Object one = any(objects);
    Object other = any(objects);
    if (one instanceof URL) {
      return;
    }
    switch (random.nextInt(wide ? 8 : 6)) {
      case 0, 1 -> answers += one.hashCode();
      case 2 -> answers += one.equals(other) ? 1 : 0;
      case 3 -> answers += one.toString().length();
      case 4 -> compare(one, other);
      case 5 -> {
        if (one instanceof Comparator<?> comparator) {
          @SuppressWarnings("unchecked")
          Comparator<Object> its = (Comparator<Object>) comparator;
          its.compare(other, any(objects));
        }
      }
      default -> anyMethod(one, objects);
    }
  }

  @SuppressWarnings("unchecked")
  private static void compare(Object one, Object other) {
    if (one instanceof Comparable<?> comparable) {
      ((Comparable<Object>) comparable).compareTo(other);
    }
  }

  private void anyMethod(Object one, List<Object> objects) throws ReflectiveOperationException {
    List<Method> methods =
        Arrays.stream(one.getClass().getMethods())
            .filter(method -> method.getDeclaringClass().getName().startsWith("w"))
            .filter(method -> !Modifier.isStatic(method.getModifiers()))
            .sorted(Comparator.comparing(Method::toString))
            .toList();
    if (methods.isEmpty()) {
      return;
    }
    Method method = methods.get(random.nextInt(methods.size()));
    Object[] arguments = new Object[method.getParameterCount()];
    for (int i = 0; i < arguments.length; i++) {
      Class<?> type = method.getParameterTypes()[i];
      if (type != int.class && type != Object.class) {
        return;
      }
      arguments[i] = type == int.class ? Integer.valueOf(1 << 22) : any(objects);
    }
    method.setAccessible(true);
    method.invoke(one, arguments);
  }
}
