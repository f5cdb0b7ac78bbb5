package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.shape.Reading;
import io.rmigate.gateway.scan.shape.Shape;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.StreamClass.Field;
import java.io.ByteArrayOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.rmi.server.RemoteServer;
import java.rmi.server.UnicastRemoteObject;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.SignedObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.NullCipher;
import javax.crypto.SealedObject;
import javax.management.BadAttributeValueExpException;

/**
 * Objects that do something while they are read: each way in which the JDK's reader comes to call
 * methods of the classes in a stream, and chains as they were made of well-known libraries, of
 * classes of our own that do nothing but count.
 */
@SuppressWarnings({
  "ArrayRecordComponent",
  "DistinctVarargsChecker",
  "EqualsHashCode",
  "JdkObsolete",
  "TypeParameterUnusedInFormals",
  "UnusedVariable",
  "serial",
  "unused"
})
final class Gadgets {

  /**
   * A gadget.
   *
   * @param does whether reading it calls {@link #fire}; else that its class is asked for is enough,
   *     since it is one of the JDK's own that does harm, or does something once only
   * @param classes those that the scanner must report, with anything around them
   */
  record Gadget(String name, boolean does, Set<String> classes, Body body) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** Writes an object's bytes into a stream in which {@code handles} handles have been given. */
  interface Body {
    byte[] behind(int handles);
  }

  private static final AtomicInteger FIRED = new AtomicInteger();

  /** What a gadget is for; where the JVM was told of a {@link Trap} it leaves its traces, too. */
  public static Object fire() {
    Trap.step();
    return FIRED.incrementAndGet();
  }

  /**
   * Whether only the place of its objects harms, for their class is one that everybody may send.
   */
  static boolean isOfPlace(Gadget gadget) {
    return gadget.body() == KEY_THAT_IS_RESOLVED;
  }

  /**
   * Whether it is what the static initializer of a class of a jar does, which takes nothing of a
   * sender's: with its jar in the configuration the class passes.
   */
  static boolean isOfInitializer(Gadget gadget) {
    return gadget.classes().contains(Initialized.class.getName());
  }

  static int fired() {
    return FIRED.get();
  }

  static List<Gadget> all() {
    return Arrays.asList(
        firing("reader of its own", new OwnReader()),
        firing("stand-in", new StandIn()),
        firing("external reader", new External()),
        firing("validation at the end", new Validated()),
        firing("constructor of a record", new Made(1)),
        firing("subclass of a list", new OwnList()),
        firing("subclass of a reader", new SubReader(), OwnReader.class),
        firing("exception", new OwnException()),
        firing("array", new OwnReader[] {new OwnReader()}, OwnReader.class),
        new Gadget("superclass that the stream leaves out", true, names(NoDataSub.class), NO_DATA),
        firing("key of a map", keyOfAMap(), Tied.class, Lazy.class, Chain.class, Invoke.class),
        firing("element of a set", elementOfASet(), Tied.class, Lazy.class, Invoke.class),
        firing("comparator of a queue", queue(new Transforming(chain())), Transforming.class),
        firing("getter of a bean", queue(new ByProperty("harmful")), ByProperty.class, Bean.class),
        firing("keys that are alike", alike(), Alike.class),
        firing("handler of a proxy", queue(proxy(Comparator.class)), Handler.class),
        firing("map behind a proxy", new Members(proxy(Map.class)), Members.class, Handler.class),
        firing("lambda", queue(lambda())),
        asking("enum constant", Initialized.ONE, Initialized.class.getName()),
        new Gadget("key that is resolved", false, Set.of("java.net.URL"), KEY_THAT_IS_RESOLVED),
        new Gadget(
            "object that exports itself",
            false,
            Set.of("java.rmi.server.UnicastRemoteObject"),
            EXPORTED),
        asking(new BadAttributeValueExpException("text")),
        asking(annotation()),
        asking(signed()),
        asking(sealed()),
        foreign("org.apache.commons.collections.functors.InvokerTransformer"));
  }

  private static Gadget firing(String name, Object graph, Class<?>... classes) {
    Set<String> told = names(classes);
    if (classes.length == 0) {
      told.add(name.equals("lambda") ? "java.lang.invoke.SerializedLambda" : nameOf(graph));
    }
    return new Gadget(name, true, told, behind(graph));
  }

  private static Gadget asking(String name, Object graph, String told) {
    return new Gadget(name, false, Set.of(told), behind(graph));
  }

  /** Of a class of the JDK, as the JDK writes it. */
  private static Gadget asking(Object graph) {
    return asking(nameOf(graph), graph, nameOf(graph));
  }

  /**
   * A stub of an object at 127.0.0.1: who reads it tells the collector there that it has it, if it
   * does not hold that reference already. Of nothing but classes that everybody may send.
   *
   * @param number of the object
   */
  static Gadget stubOf(int port, int number) {
    HandWritten block =
        HandWritten.bytes().utf("UnicastRef").utf("127.0.0.1").int32(port).int64(number);
    byte[] reference = block.raw(new byte[Jrmp.OBJ_ID_BYTES - Long.BYTES + 1]).toByteArray();
    Body body =
        handles ->
            HandWritten.bytes()
                .object()
                .descriptor(Bombs.shape(Stubs.HANDLER))
                .descriptor(Bombs.shape(Stubs.REMOTE_OBJECT))
                .nothing()
                .data()
                .block(reference)
                .end()
                .toByteArray();
    return new Gadget("stub of elsewhere", false, Set.of(Stubs.HANDLER), body);
  }

  /**
   * An object without fields of a class that is known for what it does, and that is not on the
   * class path.
   */
  private static Gadget foreign(String type) {
    Body body =
        handles ->
            HandWritten.bytes()
                .object()
                .descriptor(type, 1, ObjectStreamConstants.SC_SERIALIZABLE, List.of())
                .nothing()
                .data()
                .toByteArray();
    return new Gadget(type, false, Set.of(type), body);
  }

  private static String nameOf(Object graph) {
    return graph.getClass().getName();
  }

  private static Set<String> names(Class<?>... classes) {
    Set<String> names = new HashSet<>();
    for (Class<?> type : classes) {
      names.add(type.getName());
    }
    return names;
  }

  /** As the JDK writes it, without annotations that tell where its classes are. */
  static Body behind(Object graph) {
    return handles -> {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out =
          new ObjectOutputStream(bytes) {
            @Override
            protected void annotateClass(Class<?> type) throws IOException {
              writeObject(null);
            }

            @Override
            protected void annotateProxyClass(Class<?> type) throws IOException {
              writeObject(null);
            }
          }) {
        out.useProtocolVersion(ObjectStreamConstants.PROTOCOL_VERSION_1);
        for (int i = 0; i < handles; i++) {
          out.writeObject("handle " + i);
        }
        out.flush();
        int before = bytes.size();
        out.writeObject(graph);
        out.flush();
        byte[] all = bytes.toByteArray();
        return Arrays.copyOfRange(all, before, all.length);
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
    };
  }

  static class OwnReader implements Serializable {
    private static final long serialVersionUID = 1L;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      fire();
    }
  }

  static final class SubReader extends OwnReader {
    private static final long serialVersionUID = 1L;
  }

  static final class StandIn implements Serializable {
    private static final long serialVersionUID = 1L;

    private Object readResolve() {
      return fire();
    }
  }

  /** Public, as its kind must be. */
  public static final class External implements Externalizable {
    private static final long serialVersionUID = 1L;

    @Override
    public void writeExternal(ObjectOutput out) {}

    @Override
    public void readExternal(ObjectInput in) {
      fire();
    }
  }

  static final class Validated implements Serializable {
    private static final long serialVersionUID = 1L;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.registerValidation(Gadgets::fire, 0);
      in.defaultReadObject();
    }
  }

  record Made(int number) implements Serializable {
    Made {
      fire();
    }
  }

  static final class OwnList extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      fire();
    }
  }

  static final class OwnException extends Exception {
    private static final long serialVersionUID = 1L;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      fire();
    }
  }

  static class NoData implements Serializable {
    private static final long serialVersionUID = 1L;

    private void readObjectNoData() {
      fire();
    }
  }

  static final class NoDataSub extends NoData {
    private static final long serialVersionUID = 1L;
  }

  /** Its own superclass, which is the one that does something, is not in the stream at all. */
  private static final Body NO_DATA =
      handles ->
          HandWritten.bytes()
              .object()
              .descriptor(NoDataSub.class.getName(), 1, 2, List.<Field>of())
              .nothing()
              .data()
              .toByteArray();

  enum Initialized {
    ONE;

    static {
      fire();
    }
  }

  private interface Step extends Serializable {
    Object apply(Object input) throws ReflectiveOperationException;
  }

  record Constant(Object value) implements Step {
    @Override
    public Object apply(Object input) {
      return value;
    }
  }

  /** Calls any method that its sender has chosen. */
  record Invoke(String method, Class<?>[] types, Object[] arguments) implements Step {
    @Override
    public Object apply(Object input) throws ReflectiveOperationException {
      return input.getClass().getMethod(method, types).invoke(input, arguments);
    }
  }

  record Chain(Step[] steps) implements Step {
    @Override
    public Object apply(Object input) throws ReflectiveOperationException {
      Object value = input;
      for (Step step : steps) {
        value = step.apply(value);
      }
      return value;
    }
  }

  /** Makes what it is asked for. */
  static final class Lazy implements Serializable {
    private static final long serialVersionUID = 1L;
    private final Step factory;

    Lazy(Step factory) {
      this.factory = factory;
    }

    Object get(Object key) {
      try {
        return factory.apply(key);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  static final class Tied implements Serializable {
    private static final long serialVersionUID = 1L;
    private final Lazy map;

    Tied(Lazy map) {
      this.map = map;
    }

    @Override
    public int hashCode() {
      return String.valueOf(map.get("key")).hashCode();
    }
  }

  private static Step chain() {
    return new Chain(
        new Step[] {
          new Constant(Gadgets.class),
          new Invoke(
              "getMethod",
              new Class<?>[] {String.class, Class[].class},
              new Object[] {"fire", new Class<?>[0]}),
          new Invoke(
              "invoke",
              new Class<?>[] {Object.class, Object[].class},
              new Object[] {null, new Object[0]})
        });
  }

  private static Object keyOfAMap() {
    return new HashMap<>(Map.of(new Tied(new Lazy(chain())), "value"));
  }

  private static Object elementOfASet() {
    return new HashSet<>(List.of(new Tied(new Lazy(chain()))));
  }

  static final class Transforming implements Comparator<Object>, Serializable {
    private static final long serialVersionUID = 1L;
    private final Step step;

    Transforming(Step step) {
      this.step = step;
    }

    @Override
    public int compare(Object one, Object other) {
      return new Lazy(step).get(one).hashCode() - 1;
    }
  }

  static final class Bean implements Serializable {
    private static final long serialVersionUID = 1L;

    public Object getHarmful() {
      return fire();
    }
  }

  static final class ByProperty implements Comparator<Object>, Serializable {
    private static final long serialVersionUID = 1L;
    private final String property;

    ByProperty(String property) {
      this.property = property;
    }

    @Override
    public int compare(Object one, Object other) {
      String getter = "get" + Character.toUpperCase(property.charAt(0)) + property.substring(1);
      try {
        return one.getClass().getMethod(getter).invoke(one).hashCode();
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static Object queue(Comparator<Object> comparator) {
    PriorityQueue<Object> queue = new PriorityQueue<>(comparator);
    queue.add(new Bean());
    queue.add(new Bean());
    return queue;
  }

  static final class Alike implements Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public int hashCode() {
      return 1;
    }

    @Override
    public boolean equals(Object other) {
      fire();
      return this == other;
    }
  }

  private static Object alike() {
    return new Hashtable<>(Map.of(new Alike(), 1, new Alike(), 2));
  }

  static final class Handler implements InvocationHandler, Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      fire();
      return method.getReturnType() == int.class ? 0 : null;
    }
  }

  @SuppressWarnings("unchecked")
  private static <T> T proxy(Class<?> type) {
    return (T)
        Proxy.newProxyInstance(
            Gadgets.class.getClassLoader(), new Class<?>[] {type}, new Handler());
  }

  /** Looks into its map as soon as it has it. */
  static final class Members implements Serializable {
    private static final long serialVersionUID = 1L;
    private final Map<String, Object> values;

    Members(Map<String, Object> values) {
      this.values = values;
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      values.clear();
    }
  }

  private static Comparator<Object> lambda() {
    return (Comparator<Object> & Serializable) (one, other) -> fire().hashCode();
  }

  /** Opens a port where it is read. */
  private static final Body EXPORTED =
      handles ->
          HandWritten.bytes()
              .object()
              .descriptor(ofJdk(UnicastRemoteObject.class))
              .descriptor(ofJdk(RemoteServer.class))
              .descriptor(Bombs.shape(Stubs.REMOTE_OBJECT))
              .nothing()
              .data()
              .block(HandWritten.bytes().utf("UnicastServerRef").toByteArray())
              .end()
              .int32(0) // any port
              .nothing()
              .nothing()
              .toByteArray();

  /** In a map that hashes it as it is read. */
  private static final Body KEY_THAT_IS_RESOLVED =
      handles -> {
        HandWritten map = HandWritten.bytes().object();
        map.descriptor(Bombs.shape("java.util.HashMap")).nothing().data();
        map.int32(0x3F400000).int32(12).block(Bombs.size(16, 1));
        map.raw(behind(address()).behind(handles + map.handles()));
        return map.nothing().end().toByteArray();
      };

  /** A class that no table has, as this JDK has it. */
  private static Shape ofJdk(Class<?> type) {
    ObjectStreamClass its = ObjectStreamClass.lookup(type);
    List<Field> fields =
        Arrays.stream(its.getFields())
            .map(field -> new Field(field.getName(), field.getType().descriptorString()))
            .toList();
    return new Shape(
        type.getName(),
        Shape.Form.FIELDS,
        its.getSerialVersionUID(),
        fields,
        type.getSuperclass().getName(),
        Reading.UNPROVEN);
  }

  /** The handler of an annotation, which read any map into itself once. */
  private static Object annotation() {
    return Proxy.getInvocationHandler(Runnable.class.getAnnotation(FunctionalInterface.class));
  }

  /** Holds a stream that it reads when it is asked. */
  private static Object signed() {
    try {
      KeyPair keys = KeyPairGenerator.getInstance("EC").generateKeyPair();
      return new SignedObject("text", keys.getPrivate(), Signature.getInstance("SHA256withECDSA"));
    } catch (GeneralSecurityException | IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Holds a stream that it reads when it is asked. */
  private static Object sealed() {
    try {
      return new SealedObject("text", new NullCipher());
    } catch (GeneralSecurityException | IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Asks for the host's address when it is a key: one that needs no server of names. */
  private static Object address() {
    try {
      return java.net.URI.create("http://127.0.0.1/").toURL();
    } catch (java.net.MalformedURLException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private Gadgets() {}
}
