package io.rmigate.gateway.bridge.marshal;

import static io.rmigate.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.LiveReference;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.rmi.Remote;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMISocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Answers as hostile servers could send them. */
@SuppressWarnings("JavaUtilDate") // servers send it
class ReplyReaderTest {
  private static final AtomicInteger INSTANTIATED = new AtomicInteger();
  private static final AtomicInteger INITIALIZED = new AtomicInteger();

  /** Its loader is another one than the publication's, through which it can be seen. */
  static class Gadget implements Serializable, InvocationHandler, Comparable<Gadget> {
    private static final long serialVersionUID = 1L;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      INSTANTIATED.incrementAndGet();
      in.defaultReadObject();
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      INSTANTIATED.incrementAndGet();
      return null;
    }

    @Override
    public int compareTo(Gadget other) {
      return 0;
    }
  }

  /** A class of which nothing may run. */
  static class Initialized implements Serializable {
    private static final long serialVersionUID = 1L;

    static {
      INITIALIZED.incrementAndGet();
    }
  }

  /** A stub that rmic could have made. */
  @SuppressWarnings("deprecation")
  static class Old_Stub extends java.rmi.server.RemoteStub {
    private static final long serialVersionUID = 1L;
  }

  private final ClassLoader loader =
      new URLClassLoader(new URL[0], ReplyReaderTest.class.getClassLoader());

  /**
   * None of its own; what names gadgets can be loaded all the same, so that the filter is asked.
   */
  private final AnswerClasses classes =
      new AnswerClasses(loader, name -> name.startsWith("io.rmigate."), List.of());

  @BeforeEach
  @AfterEach
  void nothingIsMade() {
    assertThat(INSTANTIATED).hasValue(0);
  }

  private static byte[] reply(int kind, Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(Jrmp.RETURN);
    try (ObjectOutputStream out = new ServerOutput(bytes)) {
      out.writeByte(kind);
      out.write(new byte[Jrmp.UID_BYTES]);
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  /** As the JDK's MarshalOutputStream. */
  private static class ServerOutput extends ObjectOutputStream {
    ServerOutput(OutputStream out) throws IOException {
      super(out);
      useProtocolVersion(java.io.ObjectStreamConstants.PROTOCOL_VERSION_1);
    }

    @Override
    protected void annotateClass(Class<?> type) throws IOException {
      writeObject(annotation());
    }

    @Override
    protected void annotateProxyClass(Class<?> type) throws IOException {
      writeObject(annotation());
    }

    Object annotation() {
      return null;
    }
  }

  private Reply read(byte[] reply) throws IOException {
    return read(reply, ReplyLimits.DEFAULTS);
  }

  private Reply read(byte[] reply, ReplyLimits limits) throws IOException {
    return ReplyReader.read(new ByteArrayInputStream(reply), Object.class, rules(limits));
  }

  private ReplyRules rules(ReplyLimits limits) {
    return new ReplyRules(classes, limits, bytes -> true, System.nanoTime() + PATIENCE.toNanos());
  }

  private Object result(Object value) throws IOException {
    return ((Reply.Result) read(reply(Jrmp.NORMAL_RETURN, value))).value();
  }

  private AnswerRefusedException refusal(Object value) throws IOException {
    return refusal(reply(Jrmp.NORMAL_RETURN, value), ReplyLimits.DEFAULTS);
  }

  private AnswerRefusedException refusal(byte[] reply, ReplyLimits limits) {
    AnswerRefusedException refused =
        catchThrowableOfType(AnswerRefusedException.class, () -> read(reply, limits));
    assertThat(refused).isNotNull();
    return refused;
  }

  @Test
  void classOfNeitherThePublicationNorTheListIsNotMadeWhereverItStands() throws Exception {
    List<Object> places =
        List.of(
            new Gadget(),
            new ArrayList<>(List.of(new Gadget())),
            new HashMap<>(Map.of("k", new Gadget())),
            new HashSet<>(Set.of(new Gadget())),
            new Gadget[] {new Gadget()},
            new Object[] {new Gadget()},
            new java.util.TreeSet<>(List.of(new Gadget())),
            new IllegalStateException().initCause(new Wrapping(new Gadget())),
            Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Remote.class}, new Gadget()));
    for (Object place : places) {
      assertThat(refusal(place)).hasMessageContaining("ReplyReaderTest$");
    }
  }

  private static final class Wrapping extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final Gadget gadget;

    Wrapping(Gadget gadget) {
      this.gadget = gadget;
    }

    @Override
    public String getMessage() {
      return "wraps " + gadget;
    }
  }

  @Test
  void refusedClassIsNotEvenInitialized() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(Jrmp.RETURN);
    try (ObjectOutputStream out = new ServerOutput(bytes)) {
      out.writeByte(Jrmp.NORMAL_RETURN);
      out.write(new byte[Jrmp.UID_BYTES]);
      out.writeObject(new Named());
    }
    String name = Named.class.getName();
    String other = Initialized.class.getName();
    byte[] forged = rename(bytes.toByteArray(), name, other);

    assertThat(refusal(forged, ReplyLimits.DEFAULTS)).hasMessageContaining(other);
    assertThat(INITIALIZED).hasValue(0);
  }

  private static byte[] rename(byte[] stream, String from, String to) {
    String text = new String(stream, java.nio.charset.StandardCharsets.ISO_8859_1);
    String before = (char) (from.length() >> 8) + "" + (char) (from.length() & 0xFF) + from;
    String after = (char) (to.length() >> 8) + "" + (char) (to.length() & 0xFF) + to;
    assertThat(text).contains(before);
    return text.replace(before, after).getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
  }

  static class Named implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  @Test
  void exceptionThatHoldsSomethingElseIsAnExceptionAllTheSame() throws Exception {
    Reply reply =
        read(
            reply(
                Jrmp.EXCEPTIONAL_RETURN,
                new IllegalStateException().initCause(new Wrapping(new Gadget()))));

    assertThat(reply).isInstanceOf(Reply.ThrownUnread.class);
    assertThat(read(reply(Jrmp.EXCEPTIONAL_RETURN, "no exception")))
        .isInstanceOf(Reply.ThrownUnread.class);
  }

  @Test
  void annotationIsReadUnderTheSameLaw() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(Jrmp.RETURN);
    try (ObjectOutputStream out =
        new ServerOutput(bytes) {
          private boolean first = true;

          @Override
          Object annotation() {
            boolean now = first;
            first = false;
            return now ? new Gadget() : null;
          }
        }) {
      out.writeByte(Jrmp.NORMAL_RETURN);
      out.write(new byte[Jrmp.UID_BYTES]);
      out.writeObject(new java.util.Date(0));
    }
    assertThat(refusal(bytes.toByteArray(), ReplyLimits.DEFAULTS))
        .hasMessageContaining("annotation");
  }

  /** 100,000 levels in 2 MB, each of which is read before its class is. */
  @Test
  void annotationsWithinAnnotationsAreRefusedAtTheFirst() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    java.io.DataOutputStream out = new java.io.DataOutputStream(bytes);
    out.write(java.util.Arrays.copyOf(reply(Jrmp.NORMAL_RETURN, null), 22));
    for (int i = 0; i < 100_000; i++) {
      out.writeByte(java.io.ObjectStreamConstants.TC_OBJECT);
      out.writeByte(java.io.ObjectStreamConstants.TC_CLASSDESC);
      out.writeUTF("a.B");
      out.writeLong(1);
      out.writeByte(java.io.ObjectStreamConstants.SC_SERIALIZABLE);
      out.writeShort(0);
    }
    AnswerRefusedException refused = refusal(bytes.toByteArray(), ReplyLimits.DEFAULTS);
    assertThat(refused).hasMessageContaining("annotation");
    assertThat(refused.getCause()).isNotInstanceOf(StackOverflowError.class);
  }

  @Test
  void codebaseInAnAnnotationIsPassedOver() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(Jrmp.RETURN);
    try (ObjectOutputStream out =
        new ServerOutput(bytes) {
          @Override
          Object annotation() {
            return "http://127.0.0.1:1/evil.jar";
          }
        }) {
      out.writeByte(Jrmp.NORMAL_RETURN);
      out.write(new byte[Jrmp.UID_BYTES]);
      out.writeObject(List.of(new java.util.Date(0)));
    }
    assertThat(((Reply.Result) read(bytes.toByteArray())).value())
        .isEqualTo(List.of(new java.util.Date(0)));
  }

  @Test
  void arraysThatClaimMoreThanAnAnswerMayHaveAreNotAllocated() throws Exception {
    for (Object array : List.of(new byte[1], new long[1], new Object[1], new String[1][1])) {
      byte[] reply = reply(Jrmp.NORMAL_RETURN, array);
      int length = indexOf(reply, new byte[] {0, 0, 0, 1});
      reply[length] = 0x7F;
      assertThat(refusal(reply, ReplyLimits.DEFAULTS)).hasMessageContaining("arrays that claim");
    }
  }

  @Test
  void arraysWithinEachOtherCountTogether() throws Exception {
    Object[] nested = new Object[0];
    for (int i = 0; i < 20; i++) {
      Object[] outer = new Object[100_000];
      outer[0] = nested;
      nested = outer;
    }
    byte[] reply = reply(Jrmp.NORMAL_RETURN, nested);

    assertThat(refusal(reply, new ReplyLimits(1 << 22, 10_000_000, 100, 1)))
        .hasMessageContaining("arrays that claim");
  }

  @Test
  void mapsAndSetsThatClaimMuchAreNotAllocated() throws Exception {
    byte[] map = reply(Jrmp.NORMAL_RETURN, new HashMap<>(Map.of("k", "v")));
    map[lastIndexOf(map, new byte[] {0, 0, 0, 1})] = 0x3F;
    assertThat(refusal(map, ReplyLimits.DEFAULTS)).hasMessageContaining("arrays that claim");
    byte[] list = reply(Jrmp.NORMAL_RETURN, new ArrayList<>(List.of("a")));
    list[indexOf(list, new byte[] {0, 0, 0, 1})] = 0x3F;
    assertThat(refusal(list, ReplyLimits.DEFAULTS)).hasMessageContaining("arrays that claim");
  }

  private static int indexOf(byte[] bytes, byte[] sought) {
    for (int i = 0; i + sought.length <= bytes.length; i++) {
      if (java.util.Arrays.equals(bytes, i, i + sought.length, sought, 0, sought.length)) {
        return i;
      }
    }
    throw new AssertionError();
  }

  private static int lastIndexOf(byte[] bytes, byte[] sought) {
    for (int i = bytes.length - sought.length; i >= 0; i--) {
      if (java.util.Arrays.equals(bytes, i, i + sought.length, sought, 0, sought.length)) {
        return i;
      }
    }
    throw new AssertionError();
  }

  @Test
  void deepNestingIsRefused() throws Exception {
    List<Object> nested = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      nested = new ArrayList<>(List.of((Object) nested));
    }
    assertThat(refusal(nested)).hasMessageContaining("within each other");
  }

  @Test
  void tooManyObjectsAreRefused() throws Exception {
    List<Object> many = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      many.add(new java.util.Date(i));
    }
    byte[] reply = reply(Jrmp.NORMAL_RETURN, many);
    assertThat(refusal(reply, new ReplyLimits(1 << 20, 500, 100, 1)))
        .hasMessageContaining("more than 500 objects");
  }

  /** They are no objects to the JDK's filter. */
  @Test
  void tooManyTextsAreRefused() throws Exception {
    byte[] reply = reply(Jrmp.NORMAL_RETURN, "x,".repeat(600).split(","));
    assertThat(read(reply, new ReplyLimits(1 << 20, 10_000, 100, 1))).isNotNull();

    Object[] texts = new Object[600];
    java.util.Arrays.setAll(texts, Integer::toString);
    assertThat(refusal(reply(Jrmp.NORMAL_RETURN, texts), new ReplyLimits(1 << 20, 500, 100, 1)))
        .hasMessageContaining("more than 500 objects");
  }

  @Test
  void readingEndsAtTheDeadlineThoughAllBytesHaveCome() throws Exception {
    byte[] reply =
        reply(Jrmp.NORMAL_RETURN, new ArrayList<>(java.util.Collections.nCopies(200, 1)));
    ReplyRules late =
        new ReplyRules(classes, ReplyLimits.DEFAULTS, bytes -> true, System.nanoTime() - 1);
    assertThat(
            catchThrowableOfType(
                AnswerRefusedException.class,
                () -> ReplyReader.read(new ByteArrayInputStream(reply), Object.class, late)))
        .hasMessageContaining("in time");
  }

  @Test
  void nobodyIsAskedForClassesThatDoNotExist() throws Exception {
    List<String> asked = new ArrayList<>();
    ClassLoader asking =
        new ClassLoader(ClassLoader.getPlatformClassLoader()) {
          @Override
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            asked.add(name);
            return super.loadClass(name, resolve);
          }
        };
    AnswerClasses nothing = new AnswerClasses(asking, name -> false, List.of());
    Object[] unknown = {new Gadget(), new Named[0], new java.util.Date(1)};
    ReplyRules rules =
        new ReplyRules(
            nothing, ReplyLimits.DEFAULTS, bytes -> true, System.nanoTime() + PATIENCE.toNanos());
    byte[] reply = reply(Jrmp.NORMAL_RETURN, unknown);

    assertThat(
            catchThrowableOfType(
                AnswerRefusedException.class,
                () -> ReplyReader.read(new ByteArrayInputStream(reply), Object.class, rules)))
        .hasMessageContaining("Gadget");
    assertThat(asked).contains("java.util.Date").noneMatch(name -> name.startsWith("io.rmigate"));
  }

  @Test
  void stubsHaveOneClassForEachSetOfInterfaces() throws Exception {
    AnswerClasses own =
        new AnswerClasses(ReplyReaderTest.class.getClassLoader(), name -> true, List.of());
    Class<?> one = own.stubClass(List.of(One.class.getName(), Two.class.getName()));

    assertThat(
            own.stubClass(List.of(Two.class.getName(), One.class.getName(), One.class.getName())))
        .isSameAs(one);
    assertThat(own.stubClass(List.of(One.class.getName(), "of.no.jar.Unknown")).getInterfaces())
        .containsExactly(One.class);
  }

  /** Interfaces of stubs. */
  interface One extends Remote {}

  interface Two extends Remote {}

  @Test
  void setsWithinSetsThatWouldHashForEverAreRefused() throws Exception {
    Set<Object> root = new HashSet<>();
    Set<Object> one = root;
    Set<Object> other = new HashSet<>();
    for (int i = 0; i < 30; i++) {
      Set<Object> nextOne = new HashSet<>();
      Set<Object> nextOther = new HashSet<>();
      nextOne.add("different");
      one.add(nextOne);
      one.add(nextOther);
      other.add(nextOne);
      other.add(nextOther);
      one = nextOne;
      other = nextOther;
    }
    assertThat(refusal(root)).hasMessageContaining("hash");
  }

  @Test
  void truncatedOrMalformedAnswersAreRefused() throws Exception {
    byte[] good = reply(Jrmp.NORMAL_RETURN, List.of("a", new java.util.Date(1)));
    for (int i = 0; i < good.length; i++) {
      byte[] cut = java.util.Arrays.copyOf(good, i);
      assertThat(catchThrowableOfType(IOException.class, () -> read(cut))).isNotNull();
      byte[] broken = good.clone();
      broken[i] ^= (byte) 0x55;
      try {
        read(broken); // another value
      } catch (IOException refused) {
        assertThat(refused).isNotNull();
      }
    }
  }

  @Test
  void dynamicStubIsAReferenceAndNothingMore() throws Exception {
    Remote exported = new Remote() {};
    Remote stub = UnicastRemoteObject.exportObject(exported, 0);
    try {
      Reply.Result reply = (Reply.Result) read(reply(Jrmp.NORMAL_RETURN, List.of(stub, stub)));

      assertThat(reply.references()).hasSize(1);
      Object reference = ((List<?>) reply.value()).get(0);
      assertThat(reference).isInstanceOf(Remote.class);
      assertThat(Proxy.getInvocationHandler(reference).getClass().getName())
          .startsWith("io.rmigate.");
      LiveReference live = ReferenceProxies.reference(reference).orElseThrow();
      assertThat(live).isEqualTo(reply.references().get(0));
      assertThat(live.refType()).isEqualTo(LiveReference.UNICAST_REF);
    } finally {
      UnicastRemoteObject.unexportObject(exported, true);
    }
  }

  @Test
  void stubOfAnEndpointWithAFactoryIsRefused() throws Exception {
    Remote exported = new Remote() {};
    RMIClientSocketFactory factory = new Factory();
    Remote stub =
        UnicastRemoteObject.exportObject(
            exported, 0, factory, RMISocketFactory.getDefaultSocketFactory());
    try {
      assertThat(refusal(stub)).hasMessageContaining("socket factory");
    } finally {
      UnicastRemoteObject.unexportObject(exported, true);
    }
  }

  private static final class Factory implements RMIClientSocketFactory, Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public java.net.Socket createSocket(String host, int port) throws IOException {
      throw new IOException("never");
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Factory;
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  @Test
  void generatedStubIsRefusedWithAReason() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(Jrmp.RETURN);
    try (ObjectOutputStream out = new ServerOutput(bytes)) {
      out.writeByte(Jrmp.NORMAL_RETURN);
      out.write(new byte[Jrmp.UID_BYTES]);
      out.writeObject(ObjectStreamClass.lookup(Old_Stub.class));
    }
    assertThat(refusal(bytes.toByteArray(), ReplyLimits.DEFAULTS))
        .hasMessageContaining("generated stub");
  }

  @Test
  void standInsAreWhatTheJdksClassesAre() {
    assertThat(ObjectStreamClass.lookup(RemoteObject.class).getSerialVersionUID())
        .isEqualTo(
            ObjectStreamClass.lookup(java.rmi.server.RemoteObject.class).getSerialVersionUID());
    assertThat(ObjectStreamClass.lookup(RemoteObjectInvocationHandler.class).getSerialVersionUID())
        .isEqualTo(
            ObjectStreamClass.lookup(java.rmi.server.RemoteObjectInvocationHandler.class)
                .getSerialVersionUID());
  }

  @Test
  void referenceIsWrittenAsTheJdkWritesIt() throws Exception {
    Remote exported = new Remote() {};
    Remote stub = UnicastRemoteObject.exportObject(exported, 0);
    try {
      Object reference = ((Reply.Result) read(reply(Jrmp.NORMAL_RETURN, stub))).value();
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      Method method = Takes.class.getMethod("take", Object.class);
      CallWriter.write(bytes, ObjIdentifier.REGISTRY, method, new Object[] {reference});
      byte[] call = bytes.toByteArray();
      ByteArrayInputStream in = new ByteArrayInputStream(call, 1, call.length - 1);
      try (ObjectInputStream out = new PlainInput(in)) {
        out.readFully(new byte[Jrmp.CALL_HEADER_BYTES]);
        assertThat(out.readObject()).isEqualTo(stub);
      }
    } finally {
      UnicastRemoteObject.unexportObject(exported, true);
    }
  }

  @SuppressWarnings("UnusedMethod") // it is called by its name
  private interface Takes {
    void take(Object value);
  }

  /** As the JDK's MarshalInputStream, for what the tests themselves have written. */
  private static final class PlainInput extends ObjectInputStream {
    PlainInput(java.io.InputStream in) throws IOException {
      super(in);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass type)
        throws IOException, ClassNotFoundException {
      assertThat(readObject()).isNull();
      return super.resolveClass(type);
    }

    @Override
    protected Class<?> resolveProxyClass(String[] interfaces)
        throws IOException, ClassNotFoundException {
      assertThat(readObject()).isNull();
      return super.resolveProxyClass(interfaces);
    }
  }

  @Test
  void hashesAreThoseOfTheSpecification() throws Exception {
    assertThat(MethodHash.of(java.rmi.registry.Registry.class.getMethod("list")))
        .isEqualTo(2571371476350237748L);
    assertThat(MethodHash.of(java.rmi.registry.Registry.class.getMethod("lookup", String.class)))
        .isEqualTo(-7538657168040752697L);
  }

  @Test
  void resultThatIsNotOfTheDeclaredTypeIsRefused() throws Exception {
    byte[] reply = reply(Jrmp.NORMAL_RETURN, "text");
    assertThat(
            catchThrowableOfType(
                AnswerRefusedException.class,
                () ->
                    ReplyReader.read(
                        new ByteArrayInputStream(reply),
                        Integer.class,
                        rules(ReplyLimits.DEFAULTS))))
        .hasMessageContaining("expected java.lang.Integer");
    assertThat(result("text")).isEqualTo("text");
  }
}
