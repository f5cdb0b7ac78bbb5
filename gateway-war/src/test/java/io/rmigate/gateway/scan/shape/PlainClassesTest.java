package io.rmigate.gateway.scan.shape;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.ClassJar;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Vector;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which classes of jars are nothing but their fields, and which run code while they are read. */
@SuppressWarnings({
  "ArrayRecordComponent",
  "EqualsHashCode",
  "GetClassOnEnum",
  "JdkObsolete",
  "ReturnValueIgnored",
  "UnusedMethod",
  "UnusedVariable",
  "overrides",
  "serial",
  "unused"
})
class PlainClassesTest {
  @TempDir java.nio.file.Path directory;

  static class Item implements Serializable, Comparable<Item> {
    private static final Logger LOG = Logger.getLogger("items");
    private static final Map<String, Integer> ORDER = new HashMap<>();
    private final String name = "chair";
    private final long[] prices = {1};
    private final List<String> tags = new ArrayList<>();
    private int hash;

    static {
      ORDER.put("chair", 1);
      List.of("a", "b").forEach(Item::order);
    }

    private static void order(String letter) {
      ORDER.put(letter, ORDER.size());
    }

    String name() {
      return name;
    }

    @Override
    public int hashCode() {
      hash = 31 * Objects.hash(name, tags) + Arrays.hashCode(prices);
      return hash;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Item item && item.name().equals(name) && item.tags.equals(tags);
    }

    @Override
    public int compareTo(Item other) {
      return name.compareTo(other.name);
    }

    @Override
    public String toString() {
      return name + "#" + hash;
    }

    public Object run() throws ReflectiveOperationException {
      return Class.forName(name).getDeclaredConstructor().newInstance(); // the JDK calls no such
    }
  }

  static class SubItem extends Item {}

  record Made(String name, List<String> lines) implements Serializable {
    Made {
      Objects.requireNonNull(name);
      lines = List.copyOf(lines);
    }
  }

  enum State {
    OPEN,
    CLOSED {
      @Override
      public String toString() {
        return "closed";
      }
    }
  }

  static class Failure extends RuntimeException {
    private final Item culprit = new Item();

    @Override
    public String getMessage() {
      return super.getMessage() + ": " + culprit;
    }
  }

  static class Items extends Vector<Item> {
    Item first() {
      return get(0);
    }
  }

  @Test
  void dataWithTheUsualMethodsIsPlain() throws Exception {
    assertThat(
            plain(
                Item.class,
                SubItem.class,
                Made.class,
                State.class,
                Failure.class,
                Items.class,
                stateOf(State.CLOSED)))
        .contains(
            name(Item.class),
            name(SubItem.class),
            name(Made.class),
            name(State.class),
            name(Failure.class),
            name(Items.class));
  }

  private static Class<?> stateOf(State state) {
    return state.getClass();
  }

  static class OwnReader implements Serializable {
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
    }
  }

  static class BelowAReader extends OwnReader {}

  static class Resolved implements Serializable {
    private Object readResolve() {
      return this;
    }
  }

  static class WithoutData implements Serializable {
    private void readObjectNoData() {}
  }

  static class External implements Externalizable {
    @Override
    public void writeExternal(ObjectOutput out) {}

    @Override
    public void readExternal(ObjectInput in) {}
  }

  static class Finalized implements Serializable {
    private final String path = "";

    @Override
    @SuppressWarnings({"deprecation", "Finalize", "removal"})
    protected void finalize() {
      new java.io.File(path).delete();
    }
  }

  static class Tied implements Serializable {
    private final Map<String, String> map = Map.of();

    @Override
    public int hashCode() {
      return Objects.hash(map.get("key"));
    }
  }

  static class ByReflection implements Serializable, Comparator<Object> {
    private final String getter = "";

    @Override
    public int compare(Object one, Object other) {
      try {
        return (int) one.getClass().getMethod(getter).invoke(one);
      } catch (ReflectiveOperationException e) {
        return 0;
      }
    }
  }

  interface Step extends Serializable {
    Object apply(Object input);
  }

  static class Invoke implements Step {
    @Override
    public Object apply(Object input) {
      return Runtime.getRuntime();
    }
  }

  static class ThroughAnInterface implements Serializable {
    private Step step;

    @Override
    public boolean equals(Object other) {
      return step.apply(other) == other;
    }
  }

  static class LazyMap extends HashMap<Object, Object> {
    private Step step;

    @Override
    public Object get(Object key) {
      return step.apply(key);
    }
  }

  record Checked(Step step) implements Serializable {
    Checked {
      step.apply("made");
    }
  }

  enum Initialized {
    ONE;

    static {
      Runtime.getRuntime().gc();
    }
  }

  static class ByLambda implements Serializable {
    static {
      List.of("x").forEach(name -> Runtime.getRuntime().gc());
    }
  }

  static class Base {
    Base() {
      Runtime.getRuntime().gc();
    }
  }

  static class AboveIsNotSerializable extends Base implements Serializable {}

  enum Constant {
    ONE {
      @Override
      public String toString() {
        return String.valueOf(Runtime.getRuntime());
      }
    }
  }

  @Test
  void whatRunsCodeWhileItIsReadIsNot() throws Exception {
    assertThat(
            plain(
                OwnReader.class,
                BelowAReader.class,
                Resolved.class,
                WithoutData.class,
                External.class,
                Finalized.class,
                Tied.class,
                ByReflection.class,
                Step.class,
                Invoke.class,
                ThroughAnInterface.class,
                LazyMap.class,
                Checked.class,
                Initialized.class,
                ByLambda.class,
                Base.class,
                AboveIsNotSerializable.class,
                Constant.class,
                Constant.ONE.getClass()))
        .containsExactly(name(Invoke.class)); // whose method is not called
  }

  @Test
  void aClassWithoutItsSuperclassIsNot() throws Exception {
    assertThat(plain(SubItem.class)).isEmpty();
  }

  static class Replaced implements Serializable {
    Object writeReplace() {
      return Form.of(this);
    }
  }

  static class Form implements Serializable {
    private final Item item = new Item();

    static Form of(Replaced from) {
      new Item();
      return new Form();
    }

    private Object readResolve() {
      return new Replaced();
    }
  }

  static class BelowReplaced extends Replaced {}

  @Test
  void ofAClassThatWritesAnotherOneThatOneIsFound() throws Exception {
    PlainClasses classes = classes(Replaced.class, BelowReplaced.class, Form.class, Item.class);
    assertThat(classes.standIns(name(BelowReplaced.class))).containsExactly(name(Form.class));
    assertThat(classes.standIns(name(Item.class))).isEmpty();
  }

  private PlainClasses classes(Class<?>... classes) throws IOException {
    ClassJar.in(directory, classes);
    return PlainClasses.of(JarClassFiles.of(List.of(directory.resolve("classes.jar"))));
  }

  private Iterable<String> plain(Class<?>... classes) throws IOException {
    return classes(classes).of("java/lang/Object");
  }

  private static String name(Class<?> type) {
    return type.getName().replace('.', '/');
  }
}
