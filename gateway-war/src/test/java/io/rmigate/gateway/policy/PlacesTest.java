package io.rmigate.gateway.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.bridge.marshal.MethodHash;
import io.rmigate.gateway.policy.rule.ClassSettings;
import io.rmigate.gateway.policy.rule.Codebases;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.policy.rule.LearningLog;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Share;
import io.rmigate.gateway.scan.ScanResult;
import io.rmigate.gateway.testing.ClassJar;
import io.rmigate.protocol.jrmp.CallBytes;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.CallHeader;
import java.io.IOException;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.RemoteObjectInvocationHandler;
import java.rmi.server.RemoteRef;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where in a message stands what is refused. */
class PlacesTest {
  private static final CallHeader HEADER =
      new CallHeader(
          new ObjIdentifier(42, 1, 2, (short) 3), Jrmp.OPERATION_BY_HASH, 0x9c9e6b1308366ddaL);

  private record Money(int cents) implements Serializable {}

  /** With a field of a superclass before its own. */
  private static class Item implements Serializable {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("unused")
    private final String label = "label";
  }

  private static final class Line extends Item {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("unused")
    private final int number = 7;

    @SuppressWarnings("unused")
    private final String note = "note";

    @SuppressWarnings({"unused", "serial"}) // what stands there is the test's matter
    private final Object price;

    Line(Object price) {
      this.price = price;
    }
  }

  private static final class Order implements Serializable {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings({"unused", "serial"}) // what stands there is the test's matter
    private final Object lines;

    Order(Object lines) {
      this.lines = lines;
    }
  }

  /** Writes its parts itself. */
  private static final class Box implements Serializable {
    private static final long serialVersionUID = 1L;
    private final transient Object content;

    Box(Object content) {
      this.content = content;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeObject("first");
      out.writeObject(content);
    }
  }

  private static final class Node implements Serializable {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings({"unused", "serial"}) // what stands there is the test's matter
    private final Object next;

    Node(Object next) {
      this.next = next;
    }
  }

  private static final CallRules RULES = rules(Rulebook.OFF);

  private static CallRules rules(Rulebook book) {
    return book.rules(
        List.of(
            Entry.enforced()
                .opaque(
                    List.of(
                        Item.class.getName(),
                        Line.class.getName(),
                        Order.class.getName(),
                        Box.class.getName(),
                        Node.class.getName()))
                .keyLimit(100)
                .rules()));
  }

  private static String placeInCall(byte[] call) {
    return placeInCall(RULES, HEADER, call);
  }

  private static String placeInCall(CallRules rules, CallHeader header, byte[] call) {
    ScanResult seen = rules.scanner().request(call, 0, call.length);
    List<Objection> objections = rules.call(header, seen, call, reference -> false, proxy -> true);
    assertThat(objections).isNotEmpty();
    return rules.place(objections.get(0), header, call, reference -> false);
  }

  private static String placeInCall(Object argument) {
    return placeInCall(CallBytes.callWith(argument));
  }

  private static final Object PRICE = new Money(1);

  @Test
  void fieldsAndElementsAreNamed() {
    assertThat(placeInCall(PRICE)).isEqualTo("argument 1");
    assertThat(placeInCall(new Line(PRICE))).isEqualTo("argument 1: PlacesTest$Line.price");
    assertThat(
            placeInCall(
                new Order(
                    new ArrayList<>(List.of(new Line("1"), new Line("2"), "3", new Line(PRICE))))))
        .isEqualTo("argument 1: PlacesTest$Order.lines[3].price");
    assertThat(placeInCall(new Order(Arrays.asList("1", new Line(PRICE)))))
        .isEqualTo("argument 1: PlacesTest$Order.lines[1].price");
    assertThat(placeInCall(new Object[] {"0", new Object[] {PRICE}}))
        .isEqualTo("argument 1: Object[][1][0]");
    assertThat(placeInCall(new Box(PRICE))).isEqualTo("argument 1: PlacesTest$Box.writeObject[1]");
  }

  @Test
  void keysAndValuesOfMapsAreNumbered() {
    Map<Object, Object> map = new LinkedHashMap<>();
    map.put("0", "zero");
    map.put("1", new Line(PRICE));
    assertThat(placeInCall(new Order(map)))
        .isEqualTo("argument 1: PlacesTest$Order.lines[value 1].price");
    map.clear();
    map.put(PRICE, "zero");
    assertThat(placeInCall(map)).isEqualTo("argument 1: LinkedHashMap[key 0]");
  }

  /** What passes stands before it: an object of the same class in another place, and references. */
  @Test
  void theFirstPlaceIsTheOne() {
    Line shared = new Line("1");
    assertThat(placeInCall(new Object[] {shared, shared, null, new Line(PRICE), PRICE}))
        .isEqualTo("argument 1: Object[][3].price");
  }

  /** Primitives that come together are one block, of which only a jar says how many they are. */
  @Test
  void argumentsAreNumberedAsFarAsThatIsKnown() {
    CallBytes.Arguments first =
        out -> {
          out.writeObject("1");
          out.writeObject(PRICE);
        };
    assertThat(placeInCall(CallBytes.call(first))).isEqualTo("argument 2");
    assertThat(
            placeInCall(
                CallBytes.call(
                    out -> {
                      out.writeInt(1);
                      out.writeInt(2);
                      out.writeObject(PRICE);
                    })))
        .isEqualTo("object 1");
  }

  interface Shop extends Remote {
    void order(int number, long customer, Object order, boolean now, Object more)
        throws RemoteException;
  }

  @Test
  void ofAMethodInAJarTheParametersAreKnown(@TempDir Path jars) throws Exception {
    ClassJar.in(jars, Shop.class);
    CallRules rules =
        rules(Rulebook.of(ClassSettings.DEFAULT.withInterfaces(jars), LearningLog.NOTHING));
    long hash = MethodHash.of(Shop.class.getDeclaredMethods()[0]);
    CallHeader header = new CallHeader(HEADER.object(), Jrmp.OPERATION_BY_HASH, hash);
    byte[] call =
        CallBytes.message(
            Jrmp.CALL,
            null,
            1,
            out -> {
              out.writeLong(42);
              out.writeInt(1);
              out.writeLong(2);
              out.writeShort(3);
              out.writeInt(Jrmp.OPERATION_BY_HASH);
              out.writeLong(hash);
              out.writeInt(1);
              out.writeLong(2);
              out.writeObject("order");
              out.writeBoolean(true);
              out.writeObject(new Line(PRICE));
            });
    assertThat(placeInCall(rules, header, call)).isEqualTo("argument 5: PlacesTest$Line.price");
  }

  @Test
  void aCodebaseStandsInAnAnnotation() throws IOException {
    CallRules refusing =
        rules(
            Rulebook.of(
                ClassSettings.DEFAULT.withCodebases(Codebases.REFUSE), LearningLog.NOTHING));
    byte[] call = CallBytes.call("http://far.example/", 1, out -> out.writeObject(new Line(1)));
    assertThat(placeInCall(refusing, HEADER, call))
        .isEqualTo("argument 1: PlacesTest$Line (annotation of its class)");
  }

  @Test
  void aValueThatIsADroppedCodebaseStandsWhereItStands() {
    String codebase = "http://far.example/";
    Object[] values = {"0", new Line(1), codebase};
    assertThat(placeInCall(CallBytes.call(codebase, 1, out -> out.writeObject(values))))
        .startsWith("argument 1: Object[][");
  }

  @Test
  void aReferenceStandsWhereItsStubDoes() {
    assertThat(placeInCall(new Order(new Object[] {"1", stub()})))
        .isEqualTo("argument 1: PlacesTest$Order.lines[1]");
  }

  private static Object stub() {
    RemoteRef reference =
        (RemoteRef)
            Proxy.newProxyInstance(
                RemoteRef.class.getClassLoader(),
                new Class<?>[] {RemoteRef.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("getRefClass")) {
                    return "UnicastRef";
                  }
                  ObjectOutput out = (ObjectOutput) arguments[0]; // of writeExternal
                  out.writeUTF("far.example");
                  out.writeInt(4711);
                  out.write(HEADER.object().encode());
                  out.writeBoolean(false);
                  return null;
                });
    return Proxy.newProxyInstance(
        Remote.class.getClassLoader(),
        new Class<?>[] {Remote.class},
        new RemoteObjectInvocationHandler(reference));
  }

  @Test
  void theMapWithTooManyKeysIsNamed() {
    Map<Object, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < 1000; i++) {
      map.put(List.of(i), i);
    }
    assertThat(placeInCall(new Order(map))).startsWith("argument 1: PlacesTest$Order.lines[key ");
  }

  @Test
  void aLongPathIsCutInItsMiddleAndNamesArePrintable() {
    Object chain = PRICE;
    for (int i = 0; i < 100; i++) {
      chain = new Node(chain);
    }
    assertThat(placeInCall(chain))
        .isEqualTo("argument 1: PlacesTest$Node" + ".next".repeat(8) + "..." + ".next".repeat(4));
    byte[] odd =
        new String(CallBytes.callWith(new Line(PRICE)), StandardCharsets.ISO_8859_1)
            .replace("price", "pr\nce")
            .getBytes(StandardCharsets.ISO_8859_1);
    assertThat(placeInCall(odd)).isEqualTo("argument 1: PlacesTest$Line.pr?ce");
  }

  private static String placeInReply(byte[] reply, int piece) {
    JudgedMessage message = RULES.replyOfServer(new Share(Quota.half(1 << 20)), reference -> {});
    try {
      for (int from = 0; from < reply.length; from += piece) {
        List<Objection> objections =
            message.more(ByteBuffer.wrap(reply, from, Math.min(piece, reply.length - from)));
        if (!objections.isEmpty()) {
          return message.place(objections.get(0));
        }
        message.take(message.ready());
      }
      throw new AssertionError("nothing is refused");
    } finally {
      message.close();
    }
  }

  @Test
  void aReplyHasAResultOrAnException() {
    byte[] result = CallBytes.normalReturn(out -> out.writeObject(new Line(PRICE)));
    for (int piece : List.of(1, 7, result.length)) {
      assertThat(placeInReply(result, piece)).isEqualTo("result: PlacesTest$Line.price");
    }
    byte[] thrown =
        CallBytes.message(
            Jrmp.RETURN,
            null,
            1,
            out -> {
              out.writeByte(Jrmp.EXCEPTIONAL_RETURN);
              out.write(new byte[Jrmp.UID_BYTES]);
              out.writeObject(new IllegalStateException("1", new Failure()));
            });
    assertThat(placeInReply(thrown, thrown.length))
        .isEqualTo("exception: IllegalStateException.cause");
  }

  private static final class Failure extends Exception {
    private static final long serialVersionUID = 1L;
  }

  /** What has gone on, and was let go of, cannot be looked at again. */
  @Test
  void ofAReplyThatIsTooLongToBeKeptTheClassesAroundAreKnown() {
    List<Object> many = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      many.add(i % 2 == 0 ? (Object) i : "text " + i);
    }
    many.add(new Line(PRICE));
    byte[] reply = CallBytes.normalReturn(out -> out.writeObject(new Order(many)));
    assertThat(placeInReply(reply, 8192))
        .isEqualTo("reply: in PlacesTest$Order > ArrayList > PlacesTest$Line");
  }
}
