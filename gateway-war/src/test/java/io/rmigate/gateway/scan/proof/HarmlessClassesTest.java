package io.rmigate.gateway.scan.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.scan.shape.JarClassFiles;
import io.rmigate.gateway.testing.ClassJar;
import java.io.ByteArrayInputStream;
import java.io.Externalizable;
import java.io.File;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectInputValidation;
import java.io.ObjectOutput;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is proven harmless, and what is not, with the reason. */
@SuppressWarnings({
  "ArrayRecordComponent",
  "EqualsGetClass",
  "EqualsHashCode",
  "ImmutableEnumChecker",
  "JavaUtilDate",
  "ReturnValueIgnored",
  "StaticAssignmentInConstructor",
  "UnnecessaryLambda",
  "UnusedMethod",
  "UnusedVariable",
  "overrides",
  "serial",
  "unused"
})
class HarmlessClassesTest {
  @TempDir Path directory;

  private HarmlessClasses classes(Set<String> allowed, Class<?>... classes) throws IOException {
    ClassJar.in(directory, classes);
    return HarmlessClasses.of(JarClassFiles.of(List.of(directory.resolve("classes.jar"))), allowed);
  }

  private void expectProven(Class<?>... classes) throws IOException {
    HarmlessClasses proof = classes(Set.of(), classes);
    for (Class<?> type : classes) {
      if (Serializable.class.isAssignableFrom(type)) {
        assertThat(proof.verdict(type.getName()).path()).as(type.getSimpleName()).isEmpty();
        assertThat(proof.has(type.getName())).as(type.getSimpleName()).isTrue();
      }
    }
  }

  /** Of the first class; the others are in the same jar. */
  private void expectReason(String reason, Class<?> type, Class<?>... others) throws IOException {
    List<Class<?>> all = new ArrayList<>(List.of(type));
    all.addAll(List.of(others));
    Verdict verdict = classes(Set.of(), all.toArray(Class<?>[]::new)).verdict(type.getName());
    assertThat(verdict.proven()).as(type.getSimpleName()).isFalse();
    assertThat(verdict.reason()).as("%s: %s", type.getSimpleName(), verdict).contains(reason);
  }

  // What ordinary programs have.

  static class Item implements Serializable, Comparable<Item> {
    private final String name = "chair";
    private final long[] prices = {1};
    private final List<String> tags = new ArrayList<>();
    private transient Object lock = new Object();
    private int hash;

    @Override
    public int hashCode() {
      return 31 * Objects.hash(name, hash) + Arrays.hashCode(prices);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Item item
          && item.name.equals(name)
          && Arrays.equals(item.prices, prices);
    }

    @Override
    public int compareTo(Item other) {
      return name.compareTo(other.name);
    }

    @Override
    public String toString() {
      return name + "#" + hash + String.format("%s", tags);
    }

    public void open() throws IOException {
      new File(name)
          .createNewFile(); // code of the JDK cannot call it: no type of the JDK declares it
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      lock = new Object();
      if (name == null) {
        throw new InvalidObjectException("no name");
      }
    }
  }

  record Made(String name, Instant since) implements Serializable {
    Made {
      Objects.requireNonNull(name);
    }
  }

  enum Kind {
    SMALL,
    LARGE {
      @Override
      int size() {
        return 2;
      }
    };

    int size() {
      return 1;
    }
  }

  static final class Singleton implements Serializable {
    static final Singleton INSTANCE = new Singleton();

    private Object readResolve() {
      return INSTANCE;
    }
  }

  static class Table implements Externalizable {
    private String name;
    private Object rows;

    public Table() {}

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeUTF(name);
      out.writeObject(rows);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      name = in.readUTF();
      rows = in.readObject();
    }
  }

  static class Form implements Serializable {
    private String name;
    private Instant since;

    private Object readResolve() {
      return new Account(name, since);
    }
  }

  static class Account implements Serializable {
    private final String name;
    private final Instant since;

    Account(String name, Instant since) {
      this.name = Objects.requireNonNull(name, "name");
      this.since = since;
    }
  }

  static class Order implements Serializable {
    private final List<Item> items = new ArrayList<>();
    private final BigDecimal price;
    private final Kind kind;

    Order(BigDecimal price, Kind kind) {
      this.price = price;
      this.kind = kind;
    }

    public BigDecimal getPrice() {
      return price;
    }

    @Override
    public int hashCode() {
      int hash = 59 + (getPrice() == null ? 43 : getPrice().hashCode());
      return hash * 59 + (kind == null ? 43 : kind.hashCode());
    }

    @Override
    public boolean equals(Object other) {
      if (other == null || getClass() != other.getClass()) {
        return false;
      }
      Order order = (Order) other;
      return kind == order.kind && Objects.equals(getPrice(), order.getPrice());
    }
  }

  static class Failure extends RuntimeException {
    private final Item culprit = new Item();

    @Override
    public String getMessage() {
      return super.getMessage() + ": " + culprit;
    }
  }

  @Test
  void ordinaryClassesAreProven() throws Exception {
    expectProven(
        Item.class,
        Made.class,
        Kind.class,
        Singleton.class,
        Table.class,
        Form.class,
        Account.class,
        Order.class,
        Failure.class);
  }

  // One sink each, where reading runs it.

  static class ByReader implements Serializable {
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      Class.forName((String) in.readObject());
    }
  }

  static class ByResolver implements Serializable {
    private String host;

    private Object readResolve() throws UnknownHostException {
      return InetAddress.getByName(host);
    }
  }

  static class WithoutData implements Serializable {
    private void readObjectNoData() {
      System.loadLibrary("x");
    }
  }

  static class ByValidation implements Serializable, ObjectInputValidation {
    @Override
    public void validateObject() {
      new Thread(() -> {}).start();
    }
  }

  static class ByFinalizer implements Serializable {
    private final String path = "";

    @Override
    @SuppressWarnings({"deprecation", "Finalize", "removal"})
    protected void finalize() {
      new File(path).delete();
    }
  }

  static class Base {
    Base() {
      Runtime.getRuntime().gc();
    }
  }

  static class AboveIsNotSerializable extends Base implements Serializable {}

  static class ByConstructor implements Externalizable {
    public ByConstructor() {
      Runtime.getRuntime().gc();
    }

    @Override
    public void writeExternal(ObjectOutput out) {}

    @Override
    public void readExternal(ObjectInput in) {}
  }

  record ByRecord(String command) implements Serializable {
    ByRecord {
      try {
        Runtime.getRuntime().exec(command);
      } catch (IOException e) {
        throw new IllegalArgumentException(e);
      }
    }
  }

  static class OwnStream implements Serializable {
    private byte[] bytes;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      new ObjectInputStream(new ByteArrayInputStream(bytes)).readObject();
    }
  }

  static class ByHandler implements Serializable, InvocationHandler {
    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments)
        throws ReflectiveOperationException {
      return method.invoke(this, arguments);
    }
  }

  static class ByComparator implements Serializable, Comparator<Object> {
    private String getter;

    @Override
    public int compare(Object one, Object other) {
      try {
        return (int) one.getClass().getMethod(getter).invoke(one);
      } catch (ReflectiveOperationException e) {
        return 0;
      }
    }
  }

  @Test
  void whatReachesASinkIsNotWhereverItIs() throws Exception {
    expectReason("java.lang.Class.forName", ByReader.class);
    expectReason("java.net.InetAddress.getByName", ByResolver.class);
    expectReason("java.lang.System.loadLibrary", WithoutData.class);
    expectReason("java.lang.Thread", ByValidation.class);
    expectReason("java.io.File", ByFinalizer.class);
    expectReason(
        "java.lang.Runtime.getRuntime: processes", AboveIsNotSerializable.class, Base.class);
    expectReason("java.lang.Runtime.getRuntime: processes", ByConstructor.class);
    expectReason("java.lang.Runtime.getRuntime: processes", ByRecord.class);
    expectReason("java.io.ObjectInputStream", OwnStream.class);
    expectReason("java.lang.reflect.InvocationHandler: an ancestor of the JDK", ByHandler.class);
    expectReason("java.lang.Class.getMethod", ByComparator.class);
  }

  // By way of others.

  abstract static class Step implements Serializable {
    abstract int weight();
  }

  static class Invoke extends Step {
    @Override
    int weight() {
      return Runtime.getRuntime().availableProcessors();
    }
  }

  static class Same extends Step {
    @Override
    int weight() {
      return 1;
    }
  }

  static class Tied implements Serializable {
    private Step step;

    @Override
    public int hashCode() {
      return step.weight();
    }
  }

  static class LazyMap extends HashMap<Object, Object> {
    @Override
    public Object get(Object key) {
      return key;
    }
  }

  static class OwnMap extends HashMap<Object, Object> {
    private String name;
  }

  @Test
  void aCallOnAFieldGoesToAllThatFits() throws Exception {
    expectProven(Step.class, Same.class, Tied.class);
    assertThat(
            classes(Set.of(), Tied.class, Step.class, Same.class, Invoke.class)
                .verdict(Tied.class.getName())
                .path())
        .extracting(line -> line.replaceAll(".*\\$", ""))
        .containsExactly(
            "Tied.hashCode()", "Invoke.weight()", "java.lang.Runtime.getRuntime: processes");
  }

  @Test
  void aClassThatIsPermittedAndInNoJarIsHarmfulToCall() throws Exception {
    assertThat(
            classes(Set.of("com.acme.Other"), Tied.class, Step.class, Same.class)
                .verdict(Tied.class.getName())
                .reason())
        .endsWith("Step.weight: a class that is permitted and in no jar may stand there");
    assertThat(
            classes(Set.of(Same.class.getName()), Tied.class, Step.class, Same.class)
                .has(Tied.class.getName()))
        .isTrue();
  }

  @Test
  void nothingStandsInThePlaceOfACollectionsMethods() throws Exception {
    expectProven(OwnMap.class);
    expectReason("in the place of a collection's method", LazyMap.class);
  }

  static class Unlucky {
    @Override
    public int hashCode() {
      return Runtime.getRuntime().availableProcessors();
    }
  }

  static class MakesUnlucky implements Serializable {
    private transient Object key;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      key = new Unlucky();
    }

    @Override
    public int hashCode() {
      return key.hashCode();
    }
  }

  static class PutsUnlucky implements Serializable {
    private final Set<Object> keys = new HashSet<>();

    private Object readResolve() {
      keys.add(new Unlucky());
      return this;
    }
  }

  static class ReturnsUnlucky implements Serializable {
    private Object readResolve() {
      return new Unlucky();
    }
  }

  static class Shared {
    static final Object KEY = new Unlucky();
  }

  static class AsksShared implements Serializable {
    @Override
    public int hashCode() {
      return Shared.KEY.hashCode();
    }
  }

  @Test
  void whatCodeMakesIsJudgedWhereItIsAsked() throws Exception {
    expectReason("asks an object for its hash code", MakesUnlucky.class, Unlucky.class);
    expectReason("Set.add, through an interface", PutsUnlucky.class, Unlucky.class);
    expectReason("Runtime", ReturnsUnlucky.class, Unlucky.class);
    expectReason("reads the static field", AsksShared.class, Shared.class, Unlucky.class);
  }

  static class ByLambda implements Serializable {
    private static final Function<String, Object> FIND =
        name -> {
          try {
            return Class.forName(name);
          } catch (ClassNotFoundException e) {
            return null;
          }
        };
    private String name;

    @Override
    public boolean equals(Object other) {
      return FIND.apply(name) == other;
    }
  }

  static class ByRegistry implements Serializable {
    static final Map<String, Supplier<Object>> KNOWN = new HashMap<>();
    private String name;

    @Override
    public int hashCode() {
      return KNOWN.get(name).get().hashCode();
    }
  }

  interface Far extends Remote {
    int number() throws RemoteException;
  }

  static class ByRemote implements Serializable {
    private Far far;

    @Override
    public int hashCode() {
      try {
        return far.number();
      } catch (RemoteException e) {
        return 0;
      }
    }
  }

  @Test
  void codeFromStaticFieldsAndRemoteCallsCount() throws Exception {
    expectReason("reads the static field", ByLambda.class);
    expectReason("reads the static field", ByRegistry.class);
    expectReason("through an interface", ByRemote.class, Far.class);
  }

  // Ways that are easily overlooked.

  static class Hides implements Serializable {
    private void begin() {
      Runtime.getRuntime().gc();
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      begin();
    }
  }

  static class BelowHides extends Hides {
    void begin() {}
  }

  enum Operation {
    READ(name -> Runtime.getRuntime());

    private final transient Function<String, Object> function;

    Operation(Function<String, Object> function) {
      this.function = function;
    }
  }

  static class ByOperation implements Serializable {
    private Operation operation;

    @Override
    public int hashCode() {
      return operation.function.apply("x").hashCode();
    }
  }

  static class Helper {
    static Function<String, Object> make() {
      return name -> Runtime.getRuntime();
    }
  }

  static class ByHelper implements Serializable {
    private static final Function<String, Object> FIND = Helper.make();
    private String name;

    @Override
    public int hashCode() {
      return FIND.apply(name) == null ? 0 : 1;
    }
  }

  static class Shown {
    @Override
    public String toString() {
      return Runtime.getRuntime().toString();
    }

    @Override
    @SuppressWarnings({"deprecation", "Finalize", "removal"})
    protected void finalize() {}
  }

  static class ByArray implements Serializable {
    private Object readResolve() {
      return String.format("%s", new Shown());
    }
  }

  static class ByReference implements Serializable {
    private Object readResolve() {
      Supplier<String> text = new Shown()::toString;
      return text.get();
    }
  }

  static class Fetching extends java.util.AbstractList<Object> {
    @Override
    public Object get(int index) {
      return Runtime.getRuntime();
    }

    @Override
    public int size() {
      return 1;
    }
  }

  static class ByJdk implements Serializable {
    private Object readResolve() {
      return new Fetching();
    }
  }

  static class Ends {
    @Override
    @SuppressWarnings({"deprecation", "Finalize", "removal"})
    protected void finalize() {
      Runtime.getRuntime().gc();
    }
  }

  static class ByGarbage implements Serializable {
    private Object readResolve() {
      new Ends();
      return this;
    }
  }

  static class ByAddress implements Serializable {
    private java.net.URL address;

    @Override
    public int hashCode() {
      return address.hashCode();
    }
  }

  @Test
  void noWayIsOverlooked() throws Exception {
    expectReason("Runtime", Hides.class, BelowHides.class);
    expectReason("what a constant of an enum holds", ByOperation.class, Operation.class);
    expectReason("reads the static field", ByHelper.class, Helper.class);
    expectReason("asks an object for its text", ByArray.class, Shown.class);
    expectReason("code that is made when it runs", ByReference.class, Shown.class);
    expectReason("java.util.AbstractList", ByJdk.class, Fetching.class);
    expectReason("Runtime", ByGarbage.class, Ends.class);
    expectReason("asks an object for its hash code", ByAddress.class);
  }

  // Static state.

  static class Counts implements Serializable {
    static int count;

    private Object readResolve() {
      count++;
      return this;
    }
  }

  static class Registers implements Serializable {
    static final List<Object> ALL = new ArrayList<>();

    private Object readResolve() {
      register(ALL);
      return this;
    }

    private void register(List<Object> all) {
      all.add(this);
    }
  }

  static class Mutable implements Serializable {
    static final Mutable INSTANCE = new Mutable();
    int number;

    private Object readResolve() {
      return INSTANCE;
    }
  }

  @Test
  void staticStateIsNotWritten() throws Exception {
    expectReason("writes the static field", Counts.class);
    expectReason("reads the static field", Registers.class);
    expectReason("reads the static field", Mutable.class);
  }

  // Time and memory.

  static class LongArray implements Serializable {
    private int size;
    private transient Object[] slots;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      slots = new Object[size];
    }
  }

  static class LongList implements Serializable {
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      make(in.readInt());
    }

    private static List<Object> make(int size) {
      return new ArrayList<>(size);
    }
  }

  static class Counting implements Serializable {
    private int rounds;

    @Override
    public int hashCode() {
      int hash = 0;
      for (int i = 0; i < rounds; i++) {
        hash += i;
      }
      return hash;
    }
  }

  static class Chain implements Serializable {
    private Chain next;

    @Override
    public int hashCode() {
      int hash = 0;
      for (Chain at = this; at != null; at = at.next) {
        hash++;
      }
      return hash;
    }
  }

  static class Again implements Serializable {
    private List<String> words;

    @Override
    public int hashCode() {
      int hash = 0;
      for (String one : words) {
        for (String other : words) {
          hash += one.compareTo(other);
        }
      }
      return hash;
    }
  }

  static class Searching implements Serializable {
    private List<String> words;

    @Override
    public int hashCode() {
      int hash = 0;
      for (String one : words) {
        hash += words.indexOf(one);
      }
      return hash;
    }
  }

  static class Endless implements Serializable {
    private List<String> words;

    @Override
    public int hashCode() {
      while (true) {
        Iterator<String> each = words.iterator();
        if (each.next().isEmpty()) {
          return 1;
        }
      }
    }
  }

  static class Sum implements Serializable, Comparable<Sum> {
    private BigDecimal amount;

    @Override
    public int compareTo(Sum other) {
      return amount.add(BigDecimal.ONE).compareTo(other.amount);
    }
  }

  static class Twice implements Serializable {
    private Object next;

    @Override
    public int hashCode() {
      return next.hashCode() + 31 * next.hashCode();
    }
  }

  @Test
  void roundsAndArraysAreBoundedByElements() throws Exception {
    expectReason("an array whose length the sender may choose", LongArray.class);
    expectReason("java.util.ArrayList", LongList.class);
    expectReason("goes round in a loop", Counting.class);
    expectReason("goes round in a loop", Chain.class);
    expectReason("through an interface", Again.class);
    expectReason("through an interface", Searching.class);
    expectReason("through an interface", Endless.class);
    expectReason("asks an object for its hash code", Twice.class);
    expectReason("java.math.BigDecimal", Sum.class);
  }

  @Test
  void anAncestorMustBeThereAndHarmless() throws Exception {
    class Timer extends java.util.TimerTask implements Serializable {
      @Override
      public void run() {}
    }
    expectReason("an ancestor that is in no jar", AboveIsNotSerializable.class);
    expectReason("an ancestor of the JDK that is not known as harmless", Timer.class);
    assertThat(classes(Set.of(), Item.class).verdict("com.acme.Nothing").proven()).isFalse();
  }

  // Which objects ask others when they are hashed or compared.

  static class ById implements Serializable {
    private Long id;
    private ById parent;
    private List<ById> children;

    Long getId() {
      return id;
    }

    @Override
    public boolean equals(Object other) {
      if (other == this) {
        return true;
      }
      if (!(other instanceof ById byId)) {
        return false;
      }
      Object its = getId();
      Object others = byId.getId();
      return its == null ? others == null : its.equals(others);
    }

    @Override
    public int hashCode() {
      Object its = getId();
      return 59 + (its == null ? 43 : its.hashCode());
    }
  }

  static class Named extends ById implements Comparable<Named> {
    private String name;
    private Instant since;

    @Override
    public int compareTo(Named other) {
      return name.compareTo(other.name);
    }

    @Override
    public int hashCode() {
      return Objects.hash(super.hashCode(), name, since);
    }
  }

  static class WithoutHash implements Serializable {
    private Object content;

    private void readObject(ObjectInputStream in) throws IOException {
      throw new IOException(new File("x").delete() ? "" : "x");
    }
  }

  record Leaves(String text, int number) implements Serializable {}

  record Branches(String text, Object other) implements Serializable {}

  static class ByOther implements Serializable {
    private ByOther other;

    @Override
    public int hashCode() {
      return other.hashCode();
    }
  }

  static class ByOtherInherited extends ByOther {}

  static class ByList implements Serializable {
    private List<String> list;

    @Override
    public boolean equals(Object other) {
      return other instanceof ByList its && its.list.equals(list);
    }
  }

  static class ByOrder implements Serializable, Comparable<ByOrder> {
    private Comparable<Object> key;

    @Override
    public int compareTo(ByOrder other) {
      return key.compareTo(other.key);
    }
  }

  static class Names extends ArrayList<Object> {}

  static class PassesOn implements InvocationHandler, Serializable {
    private Object target;

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
      return method.invoke(target, arguments);
    }
  }

  static class ByHolder implements Serializable {
    private Holder holder;

    @Override
    public int hashCode() {
      return holder.left.hashCode() + holder.right.hashCode();
    }
  }

  static class Holder implements Serializable {
    private Object left;
    private Object right;
  }

  static class ByGetter implements Serializable {
    private HolderWithGetter holder;

    @Override
    public int hashCode() {
      return holder.left().hashCode();
    }
  }

  static class HolderWithGetter implements Serializable {
    private Object left;

    Object left() {
      return left;
    }
  }

  static class SubclassOfHolder extends Holder {}

  static class Resolved implements Serializable {
    private Object content;

    private Object readResolve() {
      return content;
    }
  }

  static class Copied implements Serializable {
    private Object content;
  }

  static class Copies implements Serializable {
    private Copied copied;
    private transient Object content;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      content = copied.content;
    }
  }

  static class Compared implements Serializable {
    private Object content;
  }

  static class ByContent implements Comparator<Compared>, Serializable {
    @Override
    public int compare(Compared one, Compared other) {
      return one.content.hashCode() - other.content.hashCode();
    }
  }

  static class ByName implements Comparator<Named>, Serializable {
    @Override
    public int compare(Named one, Named other) {
      return one.name.compareTo(other.name);
    }
  }

  static class Day extends java.util.Date {
    private Object content;

    @Override
    public int hashCode() {
      return content.hashCode();
    }
  }

  static class ByDay implements Serializable {
    private java.util.Date day;

    @Override
    public int hashCode() {
      return day.hashCode();
    }
  }

  @Test
  void itIsKnownOfWhichClassesReferencesAreFollowedByHashCodes() throws Exception {
    Class<?>[] ask = {
      ByOther.class,
      ByOtherInherited.class,
      ByList.class,
      ByOrder.class,
      Names.class,
      PassesOn.class,
      Branches.class,
      ByHolder.class,
      Holder.class,
      SubclassOfHolder.class,
      ByGetter.class,
      HolderWithGetter.class,
      Resolved.class,
      Copied.class,
      Compared.class,
      ByContent.class,
      Day.class,
      ByDay.class
    };
    Class<?>[] askNot = {
      ById.class, Named.class, WithoutHash.class, Leaves.class, Copies.class, ByName.class
    };
    List<Class<?>> all = new ArrayList<>(List.of(ask));
    all.addAll(List.of(askNot));
    ClassJar.in(directory, all.toArray(Class<?>[]::new));
    assertThat(
            HarmlessClasses.askingNoOthers(
                JarClassFiles.of(List.of(directory.resolve("classes.jar")))))
        .containsExactlyInAnyOrderElementsOf(Arrays.stream(askNot).map(Class::getName).toList());
  }
}
