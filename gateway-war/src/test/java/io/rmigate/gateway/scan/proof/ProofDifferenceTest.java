package io.rmigate.gateway.scan.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.scan.proof.ClassWorld.Field;
import io.rmigate.gateway.scan.proof.ClassWorld.Sink;
import io.rmigate.gateway.scan.proof.MessageSearch.Array;
import io.rmigate.gateway.scan.proof.MessageSearch.Thing;
import io.rmigate.gateway.scan.proof.MessageSearch.Trigger;
import io.rmigate.gateway.scan.proof.MessageSearch.Witness;
import io.rmigate.gateway.scan.shape.JarClassFiles;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;

/**
 * The proof against a search that tries all messages: of random classes, no message of those that
 * are proven does harm. More of them by {@code -Drmigate.test.worlds=100000}, others by {@code
 * -Drmigate.test.seed}.
 */
class ProofDifferenceTest {
  private static final int WORLDS = Integer.getInteger("rmigate.test.worlds", 1000);
  private static final long SEED = Long.getLong("rmigate.test.seed", 1);

  private static final int OBJECTS = 3;
  private static final int WITNESSES = 100;
  private static final int RUNS = 1000;
  private static final int FEWER_RUNS = 300;

  private static ClassWorld world(long seed) {
    return RandomClassWorlds.of(seed, List.of(Sink.values()));
  }

  private static JarClassFiles jar(ClassWorld world) {
    Map<String, List<ClassReader>> files = new TreeMap<>();
    ClassWorldFiles.of(world)
        .forEach((name, bytes) -> files.put(name, List.of(new ClassReader(bytes))));
    return new JarClassFiles(files, Set.of());
  }

  private static List<String> serializable(ClassWorld world) {
    return world.types().stream()
        .filter(type -> !type.isInterface() && world.isSerializable(type.name()))
        .map(ClassWorld.WorldType::name)
        .toList();
  }

  private static String dotted(String name) {
    return name.replace('/', '.');
  }

  @Test
  void noMessageOfProvenClassesDoesHarm() throws Exception {
    int classes = 0;
    int proven = 0;
    int harmful = 0;
    int needless = 0;
    int notTried = 0;
    Map<String, Integer> reasons = new TreeMap<>();
    List<Long> needlessSeeds = new ArrayList<>();
    List<String> wrong = new ArrayList<>();
    for (long seed = SEED; seed < SEED + WORLDS; seed++) {
      ClassWorld world = world(seed);
      HarmlessClasses harmless = HarmlessClasses.of(jar(world), Set.of());
      List<String> all = serializable(world);
      Set<String> permitted =
          all.stream()
              .filter(name -> harmless.has(dotted(name)))
              .collect(Collectors.toCollection(TreeSet::new));
      MessageSearch search = new MessageSearch(world, permitted, OBJECTS, RUNS);
      Optional<Witness> found = search.find();
      if (found.isPresent()) {
        wrong.add("seed " + seed + ": " + found.get() + "\n" + world.text());
      }
      notTried += search.isExhausted() || found.isPresent() ? 0 : 1;
      classes += all.size();
      proven += permitted.size();
      for (String name : all) {
        if (!permitted.contains(name)) {
          Set<String> more = new TreeSet<>(permitted);
          more.add(name);
          if (new MessageSearch(world, more, OBJECTS, FEWER_RUNS).wide().find().isPresent()) {
            harmful++;
          } else {
            needless++;
            reasons.merge(
                ProofTable.kind(harmless.verdict(dotted(name)).reason()), 1, Integer::sum);
            needlessSeeds.add(seed);
          }
        }
      }
    }
    System.out.printf(
        "%d worlds from seed %d, %d classes: %d proven, %d harmful, %d not proven without need"
            + " (%s: %s ...); of %d worlds not all messages were tried%n",
        WORLDS,
        SEED,
        classes,
        proven,
        harmful,
        needless,
        reasons,
        needlessSeeds.stream().distinct().limit(20).toList(),
        notTried);
    assertThat(wrong.stream().limit(5)).as("%d worlds", wrong.size()).isEmpty();
    assertThat(proven).isGreaterThan(classes / 12);
    assertThat(needless).isLessThan(classes * 5 / 6); // no more than it is today
  }

  /** What the search finds does harm in a JVM, too. */
  @Test
  void whatTheSearchFindsIsTrue() throws Exception {
    int found = 0;
    int wentOff = 0;
    List<String> silent = new ArrayList<>();
    for (long seed = SEED; found < WITNESSES; seed++) {
      ClassWorld world = RandomClassWorlds.of(seed, List.of(Sink.PROPERTY));
      Optional<Witness> witness =
          new MessageSearch(world, serializable(world), OBJECTS, RUNS).find();
      if (witness.isPresent() && !witness.get().readsMore() && !witness.get().ofStaticField()) {
        found++;
        if (goesOff(world, witness.get())) {
          wentOff++;
        } else {
          silent.add("seed " + seed + ": " + witness.get());
        }
      }
    }
    System.out.println("went off: " + wentOff + " of " + found + "\n" + String.join("\n", silent));
    assertThat(wentOff).isGreaterThan(found * 4 / 5);
  }

  /** Defines a world's classes. */
  private static final class Loader extends ClassLoader {
    private final Map<String, byte[]> files;

    Loader(Map<String, byte[]> files) {
      super(ProofDifferenceTest.class.getClassLoader());
      this.files = files;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      byte[] file = files.get(name.replace('.', '/'));
      if (file == null) {
        throw new ClassNotFoundException(name);
      }
      return defineClass(name, file, 0, file.length);
    }
  }

  /** Without running a constructor of it, as a sender may make its stream. */
  private static Object instance(Class<?> type) throws ReflectiveOperationException {
    Class<?> factory = Class.forName("sun.reflect.ReflectionFactory");
    Constructor<?> constructor =
        (Constructor<?>)
            factory
                .getMethod("newConstructorForSerialization", Class.class, Constructor.class)
                .invoke(
                    factory.getMethod("getReflectionFactory").invoke(null),
                    type,
                    Object.class.getDeclaredConstructor());
    return constructor.newInstance();
  }

  private static boolean goesOff(ClassWorld world, Witness witness)
      throws IOException, ReflectiveOperationException {
    Loader loader = new Loader(ClassWorldFiles.of(world));
    IdentityHashMap<Object, Object> made = new IdentityHashMap<>();
    for (Thing thing : witness.objects()) {
      made.put(thing, instance(loader.loadClass(dotted(thing.type))));
    }
    for (Thing thing : witness.objects()) {
      for (Map.Entry<Field, Object> entry : thing.sent.entrySet()) {
        java.lang.reflect.Field field =
            loader.loadClass(dotted(entry.getKey().owner())).getField(entry.getKey().name());
        Object value = real(entry.getValue(), made);
        if (value == null || field.getType() == int.class || field.getType().isInstance(value)) {
          field.set(made.get(thing), value);
        }
      }
    }
    List<Object> sent = new ArrayList<>();
    witness.objects().forEach(thing -> sent.add(made.get(thing)));
    for (Trigger trigger : witness.triggers()) {
      sent.add(real(trigger.target(), made));
      trigger.arguments().forEach(argument -> sent.add(real(argument, made)));
    }
    System.clearProperty(ClassWorldFiles.PROPERTY);
    try {
      Object[] read = (Object[]) read(written(sent.toArray()), loader);
      int next = witness.objects().size();
      for (Trigger trigger : witness.triggers()) {
        Object target = read[next++];
        Object[] arguments = new Object[trigger.arguments().size()];
        for (int i = 0; i < arguments.length; i++) {
          arguments[i] = read[next++];
        }
        perform(trigger.method(), target, arguments);
      }
    } catch (Exception | Error failed) {
      // What counts is what has been done before.
    }
    return System.clearProperty(ClassWorldFiles.PROPERTY) != null;
  }

  private static void perform(String method, Object target, Object[] arguments)
      throws ReflectiveOperationException {
    Class<?>[] types = new Class<?>[arguments.length];
    Arrays.fill(types, Object.class);
    if (method.equals("finalize")
        && Arrays.stream(target.getClass().getMethods())
            .noneMatch(m -> m.getName().equals(method))) {
      return;
    }
    target.getClass().getMethod(method, types).invoke(target, arguments);
  }

  private static Object real(Object value, IdentityHashMap<Object, Object> made) {
    if (value instanceof Array array) {
      Object known = made.get(array);
      if (known == null) {
        Object[] one = new Object[1];
        made.put(array, one);
        one[0] = real(array.sent, made);
        known = one;
      }
      return known;
    }
    return value instanceof Thing ? made.get(value) : value;
  }

  private static byte[] written(Object graph) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(graph);
    }
    return bytes.toByteArray();
  }

  private static Object read(byte[] bytes, ClassLoader loader)
      throws IOException, ClassNotFoundException {
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes)) {
          @Override
          protected Class<?> resolveClass(ObjectStreamClass type) throws ClassNotFoundException {
            return Class.forName(type.getName(), false, loader);
          }
        }) {
      return in.readObject();
    }
  }
}
