package io.rmigate.gateway.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.ClassSettings;
import io.rmigate.gateway.policy.rule.LearningLog;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.testing.ClassJar;
import io.rmigate.protocol.jrmp.CallBytes;
import io.rmigate.protocol.jrmp.message.CallHeader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import javax.swing.tree.TreePath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys that refer to objects around them, which are not complete when they are told. */
@SuppressWarnings({"EqualsHashCode", "UnusedVariable", "serial"})
class CyclicKeysTest {
  private static final int LEVELS = 20;

  @TempDir Path directory;

  interface Desk extends Remote {
    void take(Pair pair, Order order, Box box) throws RemoteException;
  }

  /** Leaves out a field when it is hashed. */
  static class Pair implements Serializable {
    static long hashed;

    Object left = "x";
    Object next;
    Object right = "x";

    @Override
    public int hashCode() {
      hashed++;
      return 31 * left.hashCode() + right.hashCode();
    }
  }

  /** Its hash code is that of a text. */
  static class Order implements Serializable {
    private final String number;
    final Set<Line> lines = new HashSet<>();

    Order(String number) {
      this.number = number;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Order order && order.number.equals(number);
    }

    @Override
    public int hashCode() {
      return Objects.hash(number);
    }
  }

  /** Its hash code is also that of its order. */
  static class Line implements Serializable {
    private final Order order;
    private final int number;

    Line(Order order, int number) {
      this.order = order;
      this.number = number;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Line line && line.number == number && line.order.equals(order);
    }

    @Override
    public int hashCode() {
      return 31 * number + (order == null ? 0 : order.hashCode());
    }
  }

  /** Has no hash code of its own. */
  static class Box implements Serializable {
    Object content;
  }

  private List<String> objections(Object argument) throws Exception {
    ClassJar.in(directory, Desk.class, Pair.class, Order.class, Line.class, Box.class);
    ClassSettings settings =
        new ClassSettings(
            ClassMode.ENFORCE,
            List.of(),
            List.of(),
            Optional.of(directory),
            ClassSettings.CALL_LIMIT);
    CallRules rules = Rulebook.of(settings, LearningLog.NOTHING).rules(List.of());
    byte[] call = CallBytes.callWith(argument);
    return rules
        .call(
            CallHeader.decode(call, 0, call.length).orElseThrow(),
            rules.scanner().request(call, 0, call.length),
            call,
            reference -> true,
            hash -> true)
        .stream()
        .filter(objection -> objection.rule() == Objection.Rule.STREAM)
        .map(Objection::subject)
        .toList();
  }

  /** Each asks the one around it twice; the innermost is hashed. */
  private static Object[] pairsInEachOther(int levels) {
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i <= levels; i++) {
      pairs.add(new Pair());
    }
    Object keys =
        Map.of(pairs.get(levels), "a value", "a key", "another"); // hashed before it asks others
    for (int i = 0; i < levels; i++) {
      Pair inner = pairs.get(i + 1);
      pairs.get(i).next = inner;
      inner.left = pairs.get(i);
      inner.right = pairs.get(i);
    }
    return new Object[] {pairs.get(0), keys};
  }

  @Test
  void keysThatAskTheObjectsAroundThemAreTold() throws Exception {
    assertThat(objections(pairsInEachOther(60)))
        .singleElement()
        .asString()
        .startsWith("TOO_MUCH_HASHING");
  }

  /** Of a class of the JDK that is in no package of collections. */
  @Test
  void pathsOfTreesThatAskTheOnesAroundThemAreTold() throws Exception {
    List<Object> innermost = new ArrayList<>(List.of("x"));
    TreePath path = new TreePath(innermost);
    Map<Object, Object> keys = new HashMap<>();
    List<List<Object>> contents = new ArrayList<>(List.of(innermost));
    TreePath outer = path;
    for (int i = 0; i < 3; i++) {
      List<Object> content = new ArrayList<>(List.of("x"));
      contents.add(content);
      outer = outer.pathByAddingChild(content);
    }
    keys.put(outer, "a value");
    contents.get(0).set(0, outer); // the outermost one, in one within it
    assertThat(objections(new Object[] {outer, keys}))
        .singleElement()
        .asString()
        .startsWith("TOO_MUCH_HASHING");
  }

  @Test
  void aReaderHashesAsOftenAsThat() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(pairsInEachOther(LEVELS));
    }
    Pair.hashed = 0;
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      in.readObject();
    }
    assertThat(Pair.hashed).isGreaterThan(1 << LEVELS);
  }

  @Test
  void asValuesTheyPass() throws Exception {
    Object[] pairs = pairsInEachOther(60);
    pairs[1] = "no keys";
    assertThat(objections(pairs)).isEmpty();
  }

  /** As programs with a database have them. */
  @Test
  void keysThatAskAnObjectWhichAsksNoOtherPass() throws Exception {
    Order order = new Order("2026-1");
    for (int i = 0; i < 1000; i++) {
      order.lines.add(new Line(order, i));
    }
    assertThat(objections(order)).isEmpty();
    assertThat(objections(new Object[] {order, Map.of(order, order.lines)})).isEmpty();
  }

  @Test
  void keysWithoutAHashCodeOfTheirOwnPass() throws Exception {
    Box outermost = new Box();
    Box last = outermost;
    for (int i = 0; i < 60; i++) {
      Box inner = new Box();
      inner.content = List.of(last, last);
      last.content = new Object[] {last.content, inner};
      last = inner;
    }
    assertThat(objections(new Object[] {outermost, Map.of(last, "a value")})).isEmpty();
  }
}
