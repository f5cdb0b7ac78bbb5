package io.rmigate.gateway.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.scan.Gadgets.Gadget;
import io.rmigate.gateway.scan.LibraryGadgets.LibraryChain;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.ClassJar;
import io.rmigate.gateway.testing.CountingRelay;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.testing.LoopbackPort;
import io.rmigate.testing.MarshalStream;
import io.rmigate.testing.Patience;
import io.rmigate.testing.Tier;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * T01, T02, T03, T09, T11, T17, T61, in whole: each gadget in each place goes off at a server, or a
 * client, of the JDK's that is reached without the gateway; by way of the gateway no byte of it
 * arrives. The configuration even knows the gadgets' classes, so that it is policy that refuses.
 */
@Tag(Tier.FULL)
@SuppressWarnings("JdkObsolete")
@ExtendWith(LeftoverCheck.class)
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class GadgetMatrixIT {
  private static final Duration SOON = Patience.PATIENCE;
  private static final Pattern ANSWER = Pattern.compile("^answer (.*)$");
  private static final String REFUSED =
      "java.rmi.AccessException: rmigate: this call is not permitted by the gateway's policy";

  /** Where the relay is at which the gateway finds the server, which is on 127.0.0.1. */
  private static final String RELAYED = "127.0.0.2";

  /** In the reason of a refusal: a class that is neither of the JDK nor of the tests. */
  private static final Pattern OF_A_LIBRARY =
      Pattern.compile("\\b(org|bsh|com\\.fasterxml|com\\.sun\\.syndication)\\.[\\w.$]+");

  private static final int OBJECT_AT = 7;
  private static final int HASH_AT = 33;

  private Path directory;
  private InsideHosts atServer;
  private Trap trap;
  private ChildJvm server;
  private int port;
  private byte[] object;
  private CountingRelay relay;
  private OpenGateway gateway;
  private ChildJvm client;

  /** Those that are refused though their jar is configured. */
  private static List<Gadget> gadgetsOfTheJar() {
    return Gadgets.all().stream().filter(gadget -> !Gadgets.isOfInitializer(gadget)).toList();
  }

  private static List<GadgetPlace> places(boolean ofReplies) {
    return Arrays.stream(GadgetPlace.values())
        .filter(place -> place.isOfReplies() == ofReplies)
        .toList();
  }

  private static Path[] classPath() {
    return Stream.concat(
            Stream.of(
                    AttackedServer.class,
                    StreamScanner.class,
                    MarshalStream.class,
                    LiveReference.class)
                .map(BuiltArtefacts::codeSource)
                .distinct(),
            LibraryGadgets.jars().stream())
        .toArray(Path[]::new);
  }

  private Path markers(String jvm) {
    return directory.resolve("markers-" + jvm);
  }

  private Path loadedClasses(String jvm) {
    return directory.resolve("classes-" + jvm + ".log");
  }

  private ChildJvm child(String name, String hosts, Class<?> main, String... arguments)
      throws IOException {
    return ChildJvm.named(name, directory)
        .jvmOptions(hosts, "-Xlog:class+load:file=" + loadedClasses(name))
        .jvmOptions(trap.options(markers(name)).toArray(String[]::new))
        .property("java.rmi.server.hostname", InsideHosts.INSIDE)
        .classPath(classPath())
        .main(main.getName())
        .arguments(arguments)
        .start();
  }

  private OpenGateway gateway(String name, String... settings) throws Exception {
    return gateway(name, List.of(), "javax.naming.NamingException", settings);
  }

  private OpenGateway gateway(String name, List<Path> libraries, String allowed, String... settings)
      throws Exception {
    Path home = Files.createDirectories(directory.resolve(name));
    Path hosts = home.resolve("hosts");
    Files.writeString(
        hosts, Files.readString(atServer.outside()) + RELAYED + " " + InsideHosts.INSIDE + "\n");
    Path jars = Files.createDirectories(home.resolve("jars"));
    List<Class<?>> classes = new ArrayList<>(List.of(Gadgets.class.getDeclaredClasses()));
    classes.addAll(List.of(Attacked.class, Mark.class, Mark.Made.class));
    for (Path library : libraries) {
      Files.copy(library, jars.resolve(library.getFileName()));
    }
    List<String> options = new ArrayList<>(trap.options(markers(name)));
    options.add("-Xlog:class+load:file=" + loadedClasses(name));
    options.add(libraries.isEmpty() ? "-Xmx192m" : "-Xmx768m"); // for the proof of them
    return OpenGateway.startWith(
        options,
        home,
        new InsideHosts(hosts, atServer.outside()),
        OpenGateway.onlyTargets(InsideHosts.INSIDE + ":*")
            + "\n    "
            + String.join("\n    ", settings),
        "classes:\n  interfaces: '"
            + ClassJar.in(jars, classes.toArray(Class<?>[]::new))
            + "'\n  allow: ["
            + allowed // what is in it is judged then
            + "]"
            + "\nlockout:\n  after: 1000000"); // else the number of things tried is refused
  }

  @BeforeAll
  void start() throws Exception {
    directory =
        Files.createDirectories(
            BuiltArtefacts.workDirectory(getClass()).resolve(Long.toString(System.nanoTime())));
    trap = new Trap();
    atServer = InsideHosts.ofAllTests();
    port = LoopbackPort.free(); // at any address of this machine
    server = child("server", atServer.insideOption(), AttackedServer.class, Integer.toString(port));
    object =
        HexFormat.of()
            .parseHex(server.awaitLine(Pattern.compile("^attacked (\\w+)$"), SOON).group(1));
    relay =
        CountingRelay.at(
            InetAddress.getByName(RELAYED),
            port,
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port));

    // which objects are called is not the matter here
    gateway = gateway("gateway", "received-objects: false");
    client =
        child("client", atServer.outsideOption(), AttackingClient.class, gateway.uri().toString());
  }

  @AfterAll
  void stop() throws Exception {
    for (AutoCloseable part : new AutoCloseable[] {client, gateway, relay, server, trap}) {
      if (part != null) {
        part.close();
      }
    }
  }

  /** A Call of the server's object, as that place needs it. */
  private byte[] call(GadgetPlace place, byte[] message) throws Exception {
    return call(
        place == GadgetPlace.SECOND_ARGUMENT
            ? "takeBehind(Ljava/lang/String;SLjava/lang/Object;)Ljava/lang/String;"
            : "take(Ljava/lang/Object;)Ljava/lang/String;",
        message);
  }

  private byte[] call(String method, byte[] message) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new DataOutputStream(bytes).writeUTF(method);
    byte[] digest = MessageDigest.getInstance("SHA").digest(bytes.toByteArray());
    long hash = ByteBuffer.wrap(digest).order(ByteOrder.LITTLE_ENDIAN).getLong();
    return ByteBuffer.wrap(message.clone()).put(OBJECT_AT, object).putLong(HASH_AT, hash).array();
  }

  private static String ask(ChildJvm jvm, String... words) throws InterruptedException {
    return jvm.ask(String.join(" ", words), ANSWER, SOON).group(1);
  }

  private String throughGateway(byte[] call) throws InterruptedException {
    return through(client, call);
  }

  private String through(ChildJvm sender, byte[] call) throws InterruptedException {
    String hex = HexFormat.of().formatHex(call);
    return ask(sender, "call", InsideHosts.INSIDE, Integer.toString(port), hex);
  }

  @Test
  @Order(1)
  void withoutTheGatewayArgumentsGoOffAtTheServer() throws Exception {
    int fired = 0;
    for (Gadget gadget : Gadgets.all()) {
      for (GadgetPlace place : places(false)) {
        if (place.setsOff(gadget)) {
          long before = Trap.markers(markers("server"));
          try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            AttackingClient.call(socket, call(place, place.message(gadget)));
          } catch (ClassCastException | IOException failed) {
            // Some leave the server with half a message; what counts is what it has done.
          }
          assertThat(Trap.markers(markers("server")))
              .as("%s as %s", gadget, place)
              .isGreaterThan(before);
          fired++;
        }
      }
    }
    assertThat(fired).isGreaterThan(130);
    Patience.await().until(() -> trap.connections() >= 130);
  }

  @Test
  @Order(2)
  void withoutTheGatewayRepliesGoOffAtTheClient() throws Exception {
    try (ChildJvm plain = child("plain", atServer.insideOption(), AttackingClient.class)) {
      ask(plain, "look", InsideHosts.INSIDE, Integer.toString(port));
      for (Gadget gadget : Gadgets.all()) {
        for (GadgetPlace place : places(true)) {
          if (place.setsOff(gadget)) {
            long before = Trap.markers(markers("plain"));
            ask(plain, "give", HexFormat.of().formatHex(place.message(gadget)));
            assertThat(Trap.markers(markers("plain")))
                .as("%s as %s", gadget, place)
                .isGreaterThan(before);
          }
        }
      }
    }
    assertThat(Files.readString(loadedClasses("plain"))).contains(Gadgets.class.getName());
  }

  /** Of each place another one: a JVM that holds a reference does not ask for it again. */
  private byte[] stub(GadgetPlace place) {
    return place.message(
        Gadgets.stubOf(trap.port(), 1 + List.of(GadgetPlace.values()).indexOf(place)));
  }

  private static List<GadgetPlace> placesOfObjects(boolean ofReplies) {
    return places(ofReplies).stream().filter(place -> !place.onlyNames()).toList();
  }

  @Test
  @Order(3)
  void withoutTheGatewayStubsAreTakenToWhereTheyLead() throws Exception {
    for (GadgetPlace place : placesOfObjects(false)) {
      int before = trap.connections();
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        AttackingClient.call(socket, call(place, stub(place)));
      } catch (ClassCastException | IOException failed) {
        // As above.
      }
      Patience.await().untilAsserted(() -> assertConnected(place, before));
    }
    try (ChildJvm plain = child("caller", atServer.insideOption(), AttackingClient.class)) {
      ask(plain, "look", InsideHosts.INSIDE, Integer.toString(port));
      for (GadgetPlace place : placesOfObjects(true)) {
        int before = trap.connections();
        ask(plain, "give", HexFormat.of().formatHex(stub(place)));
        Patience.await().untilAsserted(() -> assertConnected(place, before));
      }
    }
  }

  private void assertConnected(GadgetPlace place, int before) {
    assertThat(trap.connections()).as("a stub as %s", place).isGreaterThan(before);
  }

  @Test
  @Order(6)
  void noStubInAnArgumentLeadsToWhereNobodyMayGo() throws Exception {
    int caughtBefore = trap.connections();
    ask(client, "session");
    for (GadgetPlace place : placesOfObjects(false)) {
      assertThat(throughGateway(call(place, stub(place))))
          .as("a stub as %s", place)
          .startsWith("threw ")
          .contains(REFUSED);
    }
    byte[] honest = HandWritten.call().string("honest").toByteArray();
    assertThat(throughGateway(call(GadgetPlace.ARGUMENT, honest)))
        .isEqualTo("returned " + AttackedServer.TAKEN);
    assertThat(trap.connections()).isEqualTo(caughtBefore);
  }

  /**
   * T17. A stub in a reply passes, since it is of classes that everybody may send; but who holds
   * it, or calls it, comes to the gateway. By clients of their own: a JVM takes one factory of
   * sockets. The settings are as shipped, and as lenient as can be.
   */
  @ParameterizedTest
  @Order(7)
  @ValueSource(strings = {"received-objects: true", "new-ports: true, received-objects: false"})
  void noStubInAReplyLeadsToWhereNobodyMayGo(String settings) throws Exception {
    int caughtBefore = trap.connections();
    String name = settings.replaceAll("\\W+", "-");
    try (OpenGateway asked = gateway("gateway-" + name, settings.split(", "));
        ChildJvm follower =
            child(
                "follower-" + name,
                atServer.outsideOption(),
                AttackingClient.class,
                asked.uri().toString())) {
      ask(follower, "session");
      ask(follower, "look", InsideHosts.INSIDE, Integer.toString(port));
      for (GadgetPlace place : placesOfObjects(true)) {
        long before = refusedTargets(asked);
        ask(follower, "give", HexFormat.of().formatHex(stub(place)));
        String followed = ask(follower, "follow");
        assertThat(trap.connections()).as("by a stub as %s", place).isEqualTo(caughtBefore);
        assertThat(followed)
            .as("a stub as %s", place)
            .startsWith("failed java.rmi.ConnectException")
            .contains("127.0.0.1:" + trap.port() + " is not permitted by the gateway's policy");
        Patience.await().until(() -> refusedTargets(asked) > before);
      }
      assertThat(asked.refusals()).containsKey("lease-target");
      assertThat(ask(follower, "give", HexFormat.of().formatHex(honestReply())))
          .isEqualTo("got honest");
    }
    assertThat(trap.connections()).isEqualTo(caughtBefore);
  }

  private static long refusedTargets(OpenGateway gateway) throws IOException {
    return gateway.refusals().getOrDefault("target", 0L);
  }

  private static byte[] honestReply() {
    return HandWritten.bytes()
        .hex("51aced0005770f01" + "00".repeat(14))
        .string("honest")
        .toByteArray();
  }

  @Test
  @Order(4)
  void noByteOfAnArgumentArrives() throws Exception {
    long refusedBefore = gateway.metric("rmigate_refused_total");
    long firedBefore = Trap.markers(markers("server"));
    int caughtBefore = trap.connections();
    byte[] honest = HandWritten.call().string("honest").toByteArray();
    int refused = 0;
    for (Gadget gadget : gadgetsOfTheJar()) {
      ask(client, "session");
      CountingRelay.Counts before = relay.counts();
      for (GadgetPlace place : places(false)) {
        if (!place.fits(gadget)) {
          continue;
        }
        String said = throughGateway(call(place, place.message(gadget)));
        assertThat(said).as("%s as %s", gadget, place).startsWith("threw ").contains(REFUSED);
        refused++;
      }
      assertThat(relay.counts()).as("what has passed of " + gadget).isEqualTo(before);
      assertThat(throughGateway(call(GadgetPlace.ARGUMENT, honest)))
          .isEqualTo("returned " + AttackedServer.TAKEN);
      assertThat(relay.counts().since(before).bytesForth()).isPositive();
    }
    assertThat(gateway.metric("rmigate_refused_total")).isEqualTo(refusedBefore + refused);
    assertThat(refused).isEqualTo(gadgetsOfTheJar().size() * places(false).size() - 1);
    assertThat(Trap.markers(markers("server"))).isEqualTo(firedBefore);
    assertThat(trap.connections()).isEqualTo(caughtBefore);
  }

  @Test
  @Order(5)
  void noClassOfAReplyIsReadByTheClient() throws Exception {
    int caughtBefore = trap.connections();
    long refusedBefore = gateway.metric("rmigate_refused_total");
    int refused = 0;
    ask(client, "session");
    ask(client, "look", InsideHosts.INSIDE, Integer.toString(port));
    for (Gadget gadget : gadgetsOfTheJar()) {
      for (GadgetPlace place : places(true)) {
        String said = ask(client, "give", HexFormat.of().formatHex(place.message(gadget)));
        assertThat(said).as("%s as %s", gadget, place).startsWith("failed java.rmi.");
        refused++;
      }
    }
    assertThat(gateway.metric("rmigate_refused_total")).isEqualTo(refusedBefore + refused);
    assertThat(ask(client, "give", HexFormat.of().formatHex(honestReply())))
        .isEqualTo("got honest");
    assertThat(Files.readString(loadedClasses("client")))
        .contains(Attacked.class.getName())
        .doesNotContain(Gadgets.class.getName());
    assertThat(Trap.markers(markers("client"))).isZero();
    assertThat(trap.connections()).isEqualTo(caughtBefore);
  }

  @Test
  @Order(8)
  void noClassOfAMessageIsLoadedByTheGateway() throws Exception {
    assertThat(Files.readString(loadedClasses("gateway")))
        .contains(StreamScanner.class.getName())
        .doesNotContain(Gadgets.class.getName());
    assertThat(Trap.markers(markers("gateway"))).isZero();
  }

  /** Of what a chain may be an element, or a value, of the value list. */
  private static final Map<String, UnaryOperator<Object>> CONTAINERS = new TreeMap<>();

  static {
    CONTAINERS.put("array", element -> new Object[] {element});
    CONTAINERS.put("Arrays.asList", Arrays::asList);
    CONTAINERS.put("ArrayDeque", element -> new ArrayDeque<>(List.of(element)));
    CONTAINERS.put("ArrayList", element -> new ArrayList<>(List.of(element)));
    CONTAINERS.put("LinkedList", element -> new LinkedList<>(List.of(element)));
    CONTAINERS.put("Vector", element -> new Vector<>(List.of(element)));
    CONTAINERS.put("List.of", List::of);
    CONTAINERS.put("singletonList", Collections::singletonList);
    CONTAINERS.put("unmodifiableList", e -> Collections.unmodifiableList(Arrays.asList(e)));
    CONTAINERS.put("synchronizedList", e -> Collections.synchronizedList(Arrays.asList(e)));
    CONTAINERS.put("CopyOnWriteArrayList", e -> new CopyOnWriteArrayList<>(List.of(e)));
    CONTAINERS.put("HashMap", element -> new HashMap<>(Map.of("key", element)));
    CONTAINERS.put("LinkedHashMap", element -> new LinkedHashMap<>(Map.of("key", element)));
    CONTAINERS.put("TreeMap", element -> new TreeMap<>(Map.of("key", element)));
    CONTAINERS.put("Hashtable", element -> new Hashtable<>(Map.of("key", element)));
    CONTAINERS.put("ConcurrentHashMap", e -> new ConcurrentHashMap<>(Map.of("key", e)));
    CONTAINERS.put("Map.of", element -> Map.of("key", element));
    CONTAINERS.put("singletonMap", element -> Collections.singletonMap("key", element));
    CONTAINERS.put("SimpleEntry", element -> new AbstractMap.SimpleEntry<>("key", element));
    CONTAINERS.put("AtomicReference", AtomicReference::new);
  }

  /** Types of the JDK by which a method may declare what a chain is passed as. */
  private static final List<String> DECLARED =
      List.of(
          "takeSerializable(Ljava/io/Serializable;)",
          "takeMap(Ljava/util/Map;)",
          "takeList(Ljava/util/List;)",
          "takeCollection(Ljava/util/Collection;)",
          "takeIterable(Ljava/lang/Iterable;)",
          "takeComparable(Ljava/lang/Comparable;)",
          "takeComparator(Ljava/util/Comparator;)",
          "takeNumber(Ljava/lang/Number;)",
          "takeThrowable(Ljava/lang/Throwable;)");

  private static Gadget in(UnaryOperator<Object> container, Object element) {
    Object graph = container.apply(element);
    return new Gadget("container", true, Set.of(), Gadgets.behind(graph));
  }

  private byte[] callWith(String method, Gadget gadget) throws Exception {
    return call(method + "Ljava/lang/String;", GadgetPlace.ARGUMENT.message(gadget));
  }

  private List<byte[]> callsWith(LibraryChain chain) throws Exception {
    List<byte[]> calls = new ArrayList<>();
    for (UnaryOperator<Object> container : CONTAINERS.values()) {
      calls.add(callWith("take(Ljava/lang/Object;)", in(container, chain.graph())));
    }
    for (String declared : DECLARED) {
      calls.add(callWith(declared, chain.gadget()));
    }
    return calls;
  }

  /**
   * T01: chains of well-known libraries, which the server has. Without the gateway each goes off
   * wherever it stands. The gateway has the libraries, too, as jars of its configuration, and is
   * told to permit the bean that is at the end of the chains: it refuses each by a class of its
   * library, before a byte of it has passed.
   */
  @Test
  @Order(9)
  void knownChainsOfConfiguredLibrariesAreRefused() throws Exception {
    try (LibraryGadgets libraries = new LibraryGadgets()) {
      List<LibraryChain> chains = libraries.all();
      assertThat(chains).hasSizeGreaterThan(9);
      for (LibraryChain chain : chains) {
        for (GadgetPlace place : places(false)) {
          if (place.setsOff(chain.gadget())) {
            assertGoesOff(chain + " as " + place, call(place, place.message(chain.gadget())));
          }
        }
        for (byte[] call : callsWith(chain)) {
          assertGoesOff(chain + " in a container, or by another type", call);
        }
      }
      String allowed = "javax.naming.NamingException, '" + Mark.class.getName() + "'";
      try (OpenGateway asked =
              gateway(
                  "gateway-of-libraries",
                  LibraryGadgets.jars(),
                  allowed,
                  "received-objects: false",
                  "explain: true");
          ChildJvm sender =
              child(
                  "sender",
                  atServer.outsideOption(),
                  AttackingClient.class,
                  asked.uri().toString())) {
        assertRefused(chains, sender);
      }
    }
  }

  private void assertGoesOff(String what, byte[] call) throws Exception {
    long before = Trap.markers(markers("server"));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      AttackingClient.call(socket, call);
    } catch (ClassCastException | IOException failed) {
      // What counts is what the server has done.
    }
    assertThat(Trap.markers(markers("server"))).as(what).isGreaterThan(before);
  }

  private void assertRefused(List<LibraryChain> chains, ChildJvm sender) throws Exception {
    ask(sender, "session");
    for (Map.Entry<String, UnaryOperator<Object>> container : CONTAINERS.entrySet()) {
      byte[] honest = callWith("take(Ljava/lang/Object;)", in(container.getValue(), "honest"));
      assertThat(through(sender, honest))
          .as(container.getKey())
          .isEqualTo("returned " + AttackedServer.TAKEN);
    }
    long firedBefore = Trap.markers(markers("server"));
    for (LibraryChain chain : chains) {
      ask(sender, "session");
      CountingRelay.Counts before = relay.counts();
      for (GadgetPlace place : places(false).stream().filter(p -> !p.hides()).toList()) {
        String said = through(sender, call(place, place.message(chain.gadget())));
        assertThat(said).as("%s as %s", chain, place).startsWith("threw ").contains("rmigate");
      }
      for (byte[] call : callsWith(chain)) {
        String said = through(sender, call);
        assertThat(said).as(chain.name()).startsWith("threw ").containsPattern(OF_A_LIBRARY);
      }
      assertThat(relay.counts()).as("what has passed of " + chain).isEqualTo(before);
    }
    assertThat(Trap.markers(markers("server"))).isEqualTo(firedBefore);
  }
}
