package io.rmigate.gateway.scan.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The search finds each kind of harm in classes that are known to do it. */
class HarmSearchTest {
  private static final String FIRE = "System.setProperty(\"rmigate.test.fired\", \"true\");";

  private static final String READER =
      "private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException"
          + " { in.defaultReadObject(); ";

  private static Optional<String> search(String code, Map<String, String> layouts)
      throws Exception {
    String text =
        "package w0; import java.io.*; import java.util.*; import java.util.function.*; " + code;
    Map<String, byte[]> files =
        SourceWorlds.compile(List.of(new RandomSources.Source("w0", text, layouts))).get("w0");
    Set<String> names = new TreeSet<>();
    files.keySet().forEach(name -> names.add(name.replace('/', '.')));
    return new HarmSearch(files, layouts, 1).find(names, "w0.C", 500, false);
  }

  private static void expect(String harm, String code) throws Exception {
    assertThat(search(code, Map.of()))
        .as(code)
        .hasValueSatisfying(h -> assertThat(h).startsWith(harm));
  }

  @Test
  void aSinkInWhatContainersCall() throws Exception {
    expect(
        "fired",
        "class C implements Serializable { public int hashCode() { " + FIRE + " return 1; } }");
    expect(
        "fired",
        "class C implements Serializable, Comparator<Object> { public int compare(Object a, Object"
            + " b) { "
            + FIRE
            + " return 1; } }");
  }

  @Test
  void aSinkInFinalizers() throws Exception {
    expect(
        "fired", "class C implements Serializable { protected void finalize() { " + FIRE + " } }");
    expect(
        "fired",
        "class Made { protected void finalize() { "
            + FIRE
            + " } } class C implements Serializable { "
            + READER
            + "new Made(); } }");
  }

  @Test
  void aSinkBehindLambdasAndEnums() throws Exception {
    expect(
        "fired",
        "enum E { A(() -> { "
            + FIRE
            + " }); final Runnable r; E(Runnable r) { this.r = r; } }"
            + " class C implements Serializable { E e; "
            + READER
            + "e.r.run(); } }");
  }

  @Test
  void aSinkInRecordsAndExternalizables() throws Exception {
    expect(
        "fired", "record C(int n) implements Serializable { C { if (n == 3) { " + FIRE + " } } }");
    assertThat(
            search(
                "class C implements Externalizable { public C() { }"
                    + " public void writeExternal(ObjectOutput out) { }"
                    + " public void readExternal(ObjectInput in) throws IOException {"
                    + (" if (in.readInt() == 5) { " + FIRE + " } } }"),
                Map.of("w0.C", "I")))
        .isPresent();
  }

  @Test
  void changedStaticState() throws Exception {
    expect(
        "static state",
        "class C implements Serializable { static final List<Object> ALL = new ArrayList<>();"
            + " Object o; "
            + READER
            + "ALL.add(o); } }");
    expect(
        "static state",
        "enum E { A; int n; } class C implements Serializable { E e; " + READER + "e.n++; } }");
    expect(
        "static state", "class C implements Serializable { static int n; " + READER + "n++; } }");
  }

  @Test
  void roundsThatNumbersSay() throws Exception {
    expect(
        "steps",
        "class C implements Serializable { int n; "
            + READER
            + "int m = 0; for (int i = 0; i < n; i++) m++; } }");
  }

  @Test
  void callsThatDouble() throws Exception {
    expect(
        "steps",
        "record C(Object a, Object b) implements Serializable {"
            + " C(Object a, Object b) { this.a = a; this.b = a; } }");
    expect(
        "steps",
        "class C implements Serializable { C next; public int hashCode()"
            + " { return Objects.hash(next, next); } }");
    expect(
        "steps",
        "class C implements Serializable { C left; C right; int visit() { return 1 + (left == null"
            + " ? 0 : left.visit()) + (right == null ? 0 : right.visit()); } "
            + READER
            + "visit(); } }");
  }

  @Test
  void memoryThatNumbersSay() throws Exception {
    expect(
        "array",
        "class C implements Serializable { int n; " + READER + "int[] a = new int[n]; } }");
    expect(
        "memory",
        "class C implements Serializable { int n; "
            + READER
            + "List<Object> l = new ArrayList<>(n); } }");
    expect(
        "memory", "class C implements Serializable { int n; " + READER + "\"ab\".repeat(n); } }");
  }

  @Test
  void namesThatHashingLooksUp() throws Exception {
    expect(
        "name service",
        "class C implements Serializable { Object o; "
            + READER
            + "new HashSet<Object>().add(o); } }");
  }

  @Test
  void nothingInHarmlessClasses() throws Exception {
    assertThat(
            search(
                "class C implements Serializable { Object o; C left; C right; int n; static int M ="
                    + " 3; public int hashCode() { return Objects.hash(o, left, right, n, M); }"
                    + " public boolean equals(Object x) { return x instanceof C c &&"
                    + " Objects.equals(o, c.o); } }",
                Map.of()))
        .isEmpty();
  }
}
