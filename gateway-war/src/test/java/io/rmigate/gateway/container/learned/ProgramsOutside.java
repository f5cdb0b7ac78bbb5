package io.rmigate.gateway.container.learned;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.boxes.DepotClient;
import io.rmigate.gateway.container.callbacks.BellClient;
import io.rmigate.gateway.container.chat.ChatClient;
import io.rmigate.gateway.container.cuts.TallyClient;
import io.rmigate.gateway.container.deadlines.BoundedClient;
import io.rmigate.gateway.container.failover.LedgerClient;
import io.rmigate.gateway.container.leases.HoldingClient;
import io.rmigate.gateway.container.lookups.LookingClient;
import io.rmigate.gateway.container.sockets.TlsManager;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.ExportAddress;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.sample.SampleServer;
import io.rmigate.testing.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * The clients of the other tests, each of which does what it is there for. They may run at the same
 * time.
 */
final class ProgramsOutside {
  private static final Duration SOON = Patience.PATIENCE;
  private static final int ENOUGH_CALLS = 100;
  private static final String INSIDE = InsideHosts.INSIDE;

  /** One of them, run to its end. */
  interface Program {
    void run() throws Exception;
  }

  private final ProgramsInside inside;
  private static final String GRANTED = "rmigate_grants_objects_total";

  private final OpenGateway gateway;
  private final int samplePort;
  private final int bellPort;
  private final int registryPort;
  private final AtomicInteger started = new AtomicInteger();

  /**
   * @param samplePort of the sample server's registry
   * @param bellPort that the gateway gives to a sidecar's client for callbacks
   * @param registryPort that it gives to a client for a registry of its own
   */
  ProgramsOutside(
      ProgramsInside inside, OpenGateway gateway, int samplePort, int bellPort, int registryPort) {
    this.inside = inside;
    this.gateway = gateway;
    this.samplePort = samplePort;
    this.bellPort = bellPort;
    this.registryPort = registryPort;
  }

  /** By what they are about. */
  Map<String, Program> all() {
    Map<String, Program> all = new TreeMap<>();
    all.put("chat", this::chat);
    all.put("registry of a client", this::bindAtOneself);
    all.put("leases", this::holdTokens);
    all.put("stub out of a file", this::loadToken);
    all.put("cut links", this::tally);
    all.put("deadlines", this::callWithDeadlines);
    all.put("preloaded lookups", this::look);
    all.put("values of web services", this::showcase);
    all.put("boxes", this::fetchParcels);
    all.put("spring", this::callSpring);
    all.put("management over TLS", this::manage);
    all.put("sidecar", this::bySidecar);
    return all;
  }

  private ChildJvm.Builder client(Class<?> main) {
    return outside(main.getSimpleName())
        .classPath(BuiltArtefacts.codeSource(main), BuiltArtefacts.codeSource(SampleServer.class))
        .main(main.getName());
  }

  private ChildJvm.Builder outside(String name) {
    return ChildJvm.named(name + started.incrementAndGet(), inside.directory())
        .jvmOptions(inside.hosts().outsideOption(), "-Xmx128m");
  }

  private String agent() {
    return "-javaagent:"
        + BuiltArtefacts.javaagent()
        + "="
        + gateway.uri()
        + ",tunnel=*:*,way=websocket,stats=off";
  }

  private ChildJvm start(Class<?> main, String server, String... more) {
    return client(main)
        .jvmOptions(agent())
        .arguments(INSIDE, inside.port(server))
        .arguments(more)
        .start();
  }

  private static void awaitLine(ChildJvm client, String line) throws InterruptedException {
    client.awaitLine(Pattern.compile("^" + line), SOON);
  }

  /** A command and how its answer has to begin. */
  private static void ask(ChildJvm client, String command, String answer)
      throws InterruptedException {
    client.ask(command, Pattern.compile("^" + answer), SOON);
  }

  private static void endsWell(ChildJvm client, String last) throws InterruptedException {
    assertThat(client.awaitExit(SOON)).as(() -> String.join("\n", client.output())).isZero();
    assertThat(client.output()).anyMatch(line -> line.startsWith(last));
  }

  private void chat() throws Exception {
    try (ChildJvm ann = start(ChatClient.class, "room", "ann", "0");
        ChildJvm bob = start(ChatClient.class, "room", "bob", "0")) {
      for (ChildJvm member : List.of(ann, bob)) {
        awaitLine(member, "chatting ");
        ask(member, "join", "done$");
      }
      ask(ann, "say hello", "done 1$");
      ask(bob, "heard", "done 1 \\[ann: hello\\] from ");
      ask(ann, "greet 3", "done$");
      ask(ann, "nest 5 2", "done 10$");
      ask(bob, "self", "done$");
      ask(inside.server("room"), "tell bob 2", "done 2$");
      ask(ann, "leave", "done$");
      ask(bob, "leave", "done$");
    }
  }

  private void bindAtOneself() throws Exception {
    try (ChildJvm leo =
        client(ChatClient.class)
            // a local registry would have the gateway's port here, on the machine of all
            .jvmOptions(agent() + ",callbacks-hostname=jvm,export=0|" + registryPort)
            .arguments(INSIDE, inside.port("room"), "leo", "0")
            .start()) {
      awaitLine(leo, "chatting ");
      ask(leo, "registry " + registryPort, "done$");
      ask(inside.server("room"), "list " + INSIDE + " " + registryPort, "done listener$");
    }
  }

  /** A stub that its reader was given past the gateway, by a file of another program. */
  private void loadToken() throws Exception {
    Path file = inside.directory().resolve("token" + started.incrementAndGet());
    try (ChildJvm giver = start(HoldingClient.class, "other keeper");
        ChildJvm reader = start(HoldingClient.class, "other keeper")) {
      for (ChildJvm client : List.of(giver, reader)) {
        awaitLine(client, "holding$");
        ask(client, "lookup", "done ");
      }
      ask(giver, "take f", "done ");
      ask(giver, "save f " + file, "done ");
      ask(reader, "load f " + file, "done ");
      ask(reader, "call f", "done f#");
      ask(reader, "drop f", "done ");
    }
  }

  private void holdTokens() throws Exception {
    try (ChildJvm client = start(HoldingClient.class, "keeper")) {
      takeTokens(client);
      ask(client, "third " + inside.port("other keeper") + " c", "done ");
      ask(client, "callall", "done ");
      ask(client, "give a", "done ");
      ask(client, "drop a", "done ");
      ask(client, "fetch a", "done ");
      ask(client, "forget a", "done ");
      ask(client, "dropall", "done ");
    }
  }

  private static void takeTokens(ChildJvm client) throws InterruptedException {
    awaitLine(client, "holding$");
    ask(client, "lookup", "done ");
    ask(client, "take a", "done 1$");
    ask(client, "many b 5", "done 6$");
    ask(client, "take w", "done 7$"); // no JVM holds what is only wrapped
    ask(client, "wrap w", "done 7$");
    ask(client, "unwrap w", "done 7$");
    ask(client, "callall", "done 7$");
  }

  private void tally() throws Exception {
    try (ChildJvm client = start(TallyClient.class, "tally")) {
      awaitLine(client, "ready$");
      long before = tallied();
      ask(client, "go", "calling$");
      await().until(() -> tallied() > before + ENOUGH_CALLS);
      ask(client, "stop", "done [1-9]\\d* 0 0 [1-9]\\d* [1-9]\\d* 0$");
    }
  }

  private long tallied() throws InterruptedException {
    return Long.parseLong(
        inside.server("tally").ask("", Pattern.compile("^tally (\\d+) "), SOON).group(1));
  }

  private void callWithDeadlines() throws Exception {
    try (ChildJvm client = start(BoundedClient.class, "hanging")) {
      awaitLine(client, "ready$");
      ask(client, "hung", "did 1 hung \\d+ executed$");
      ask(client, "hang 300", "did 2 hang java.rmi.\\S+ CallTimeoutException ");
    }
  }

  private void look() throws Exception {
    try (ChildJvm client =
        client(LookingClient.class)
            .jvmOptions(agent())
            .arguments(INSIDE, Integer.toString(samplePort))
            .start()) {
      awaitLine(client, "looking$");
      ask(client, "unbound", "did unbound not bound$");
      ask(client, "hello", "did hello Hello, World!$");
      ask(client, "everything", "did everything \\[Everything\\]$");
      ask(client, "list", "did list \\[.*Hello");
    }
  }

  private void showcase() throws Exception {
    try (ChildJvm client =
        outside("Showcase")
            .jvmOptions(agent(), "-Xmx300m")
            .classPath(
                BuiltArtefacts.codeSource(getClass()),
                BuiltArtefacts.codeSource(SampleServer.class))
            .main("io.rmigate.gateway.container.services.ShowcaseClient")
            .arguments(INSIDE, Integer.toString(samplePort))
            .start()) {
      endsWell(client, "upload=" + (50 << 20) + " ");
    }
  }

  private void fetchParcels() throws Exception {
    String name = "client" + started.incrementAndGet();
    try (ChildJvm client = start(DepotClient.class, "depot", name)) {
      ask(client, "lookup", "done");
      ask(client, "calls 5", "done 5$");
      ask(client, "parcel", "done \\p{XDigit}{64}$");
      ask(client, "callbacks 5", "done 5$");
    }
  }

  private void callSpring() throws Exception {
    try (ChildJvm client =
        inside
            .spring()
            .program(
                "SpringRmi" + started.incrementAndGet(), inside.hosts().outsideOption(), agent())
            .arguments("call", INSIDE, inside.port("spring"), "world")
            .start()) {
      endsWell(client, "Hello, world");
    }
  }

  private void manage() throws Exception {
    try (ChildJvm client =
        inside
            .withKeys(client(TlsManager.class))
            .jvmOptions(agent() + ",sockets=" + INSIDE + ":" + inside.port("management"))
            .arguments(INSIDE, inside.port("managed"), "plain")
            .start()) {
      endsWell(client, "managed 18.5");
    }
  }

  /** Clients without anything of ours: one that holds objects, and one that is called. */
  private void bySidecar() throws Exception {
    ExportAddress bells = new ExportAddress("127.0.0.2", bellPort);
    try (ChildJvm sidecar =
        outside("sidecar")
            .jar(BuiltArtefacts.javaagent())
            .arguments("sidecar", "--gateway", gateway.uri().toString())
            .arguments("--listen", "127.0.0.1:0", "--reverse=" + bellPort + "=" + bells)
            .start()) {
      String port =
          sidecar
              .awaitLine(Pattern.compile("^rmigate sidecar listens on 127.0.0.1:(\\d+)"), SOON)
              .group(1);
      awaitLine(sidecar, "rmigate sidecar ready$");
      try (ChildJvm holding = bySocks(HoldingClient.class, port, "keeper").start();
          ChildJvm ringing =
              bySocks(BellClient.class, port, "tower")
                  .property("java.rmi.server.hostname", INSIDE)
                  .property("bell.at", bells)
                  .start()) {
        takeTokens(holding);
        awaitLine(ringing, "at the tower$");
        ask(ringing, "hang a", "done a$");
        ask(ringing, "ring a", "done a rung by ");
        ask(ringing, "take a", "done a$");
      }
    }
  }

  private ChildJvm.Builder bySocks(Class<?> main, String socksPort, String server) {
    return client(main)
        .property("socksProxyHost", "127.0.0.1")
        .property("socksProxyPort", socksPort)
        .arguments(INSIDE, inside.port(server));
  }

  /** What is held when the gateway is killed is held when there is one again. */
  void useAfterRestart(Program killAndStart) throws Exception {
    String firstCall = started.incrementAndGet() + "000000";
    long granted = gateway.metric(GRANTED);
    try (ChildJvm client = start(LedgerClient.class, "ledger", firstCall)) {
      awaitLine(client, "ready$");
      ask(client, "take 20", "taken$");
      ask(client, "go", "begun$");
      ask(client, "stop", "done [1-9]\\d* 0 0$");
      await().until(() -> gateway.metric(GRANTED) >= granted + 21); // with the ledger itself
      killAndStart.run();
      ask(client, "use", "used 20 0$");
    }
  }
}
