package io.rmigate.perf.speed;

import io.rmigate.perf.harness.Artefacts;
import io.rmigate.perf.harness.ChildJvm;
import io.rmigate.sample.PerformanceTester;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A contestant's JVMs: client, server, and what is between them. Used by one thread. */
final class RunningSystem implements AutoCloseable {
  private static final String HOST = "inside.example";
  private static final int CLIENT_CORE = 0;
  private static final int OTHER_CORE = 1;

  private final Contestant contestant;
  private final Map<String, ChildJvm> jvms = new LinkedHashMap<>();
  private final Map<String, RemoteAllocation> allocations = new LinkedHashMap<>();
  private final Map<String, Double> loadedClasses = new LinkedHashMap<>();

  private RunningSystem(Contestant contestant) {
    this.contestant = contestant;
  }

  /**
   * The programs of all systems.
   *
   * @param before the build of an earlier commit; empty if none takes part
   * @param hosts a hosts file that has the server's name
   * @param send how the relay sends to its WebSockets
   * @param countsClasses whether each JVM logs the classes that it loads
   */
  record Parts(
      Artefacts built, Optional<Artefacts> before, Path hosts, String send, boolean countsClasses) {
    Artefacts of(Contestant contestant) {
      return contestant == Contestant.BEFORE ? before.orElseThrow() : built;
    }
  }

  static RunningSystem start(Contestant contestant, Parts parts, Path jdk, boolean pinned)
      throws IOException {
    RunningSystem system = new RunningSystem(contestant);
    try {
      system.startAll(parts, jdk, pinned);
      return system;
    } catch (IOException | RuntimeException e) {
      system.close();
      throw e;
    }
  }

  private void startAll(Parts parts, Path jdk, boolean pinned) throws IOException {
    Launch launch = new Launch(parts, jdk, pinned);
    List<String> client = new ArrayList<>();
    switch (contestant) {
      case PLAIN -> client.addAll(caller(parts, "rmi", HOST, launch.server()));
      case RELAY -> {
        String registry = launch.server();
        String port =
            launch
                .start(
                    "gateway",
                    OTHER_CORE,
                    "-cp",
                    parts.built().classPath(),
                    "io.rmigate.perf.relay.DoNothingRelay",
                    HOST,
                    parts.send())
                .await("relay ready");
        client.addAll(caller(parts, "relay", HOST, registry, port));
      }
      case RMIGATE, OFF, BEFORE -> {
        String registry = launch.server();
        Artefacts built = parts.of(contestant);
        String uri =
            launch.gateway(
                contestant == Contestant.OFF
                    ? built.heedlessGateway(contestant.label(), HOST + ":*")
                    : built.gateway(HOST + ":*"));
        client.add("-javaagent:" + built.agent() + "=" + uri + ",tunnel=*:*");
        client.addAll(caller(parts, "rmi", HOST, registry));
      }
      case JSON, SOAP -> {
        String object = "rmi://" + HOST + ":" + launch.server() + "/" + PerformanceTester.NAME;
        String uri =
            launch.gateway(
                parts
                    .built()
                    .publishingGateway(
                        contestant.label(), HOST + ":*", object, PerformanceTester.class));
        client.addAll(caller(parts, contestant.label(), uri + "/services/" + Artefacts.PUBLISHED));
      }
      case METRO ->
          client.addAll(
              caller(
                  parts,
                  "soap",
                  launch
                      .start(
                          "server",
                          OTHER_CORE,
                          "-cp",
                          parts.built().classPath(),
                          "io.rmigate.perf.services.MetroHost")
                      .await("metro ready")));
    }
    launch.start("client", CLIENT_CORE, client.toArray(String[]::new)).await("client ready");
    if (parts.countsClasses()) {
      for (String name : jvms.keySet()) {
        loadedClasses.put("classes." + name, loadedClasses(launch.classLog(name)));
      }
    }
    for (String name : jvms.keySet()) {
      if (!name.equals("client")) {
        allocations.put(name, RemoteAllocation.of(jvms.get(name).pid()));
      }
    }
  }

  private static double loadedClasses(Path log) throws IOException {
    try (Stream<String> lines = Files.lines(log)) {
      return lines.filter(line -> line.contains(" source: ")).count();
    }
  }

  private static List<String> caller(Parts parts, String... way) {
    List<String> arguments =
        new ArrayList<>(
            List.of("-cp", parts.built().classPath(), "io.rmigate.perf.speed.SpeedClient"));
    arguments.addAll(List.of(way));
    return arguments;
  }

  /** Starts JVMs with the options that all of them share. */
  private final class Launch {
    private final Parts parts;
    private final Path jdk;
    private final boolean pinned;

    Launch(Parts parts, Path jdk, boolean pinned) {
      this.parts = parts;
      this.jdk = jdk;
      this.pinned = pinned;
    }

    /** The sample server; returns the port of its registry. */
    String server() throws IOException {
      return start(
              "server",
              OTHER_CORE,
              "-Djava.rmi.server.hostname=" + HOST,
              "-cp",
              parts.built().sample().toString(),
              "io.rmigate.sample.SampleServer")
          .await("sample ready");
    }

    /** A gateway; returns its URL. */
    String gateway(List<String> arguments) throws IOException {
      return start("gateway", OTHER_CORE, arguments.toArray(String[]::new)).await("rmigate ready");
    }

    Path classLog(String name) {
      return parts.built().logs().resolve(contestant.label() + "-" + name + ".classes");
    }

    ChildJvm start(String name, int core, String... arguments) throws IOException {
      List<String> all =
          new ArrayList<>(List.of("-Xmx256m", "-Djdk.net.hosts.file=" + parts.hosts()));
      if (parts.countsClasses()) {
        all.add("-Xlog:class+load:file=" + classLog(name) + ":none");
      }
      all.addAll(List.of(arguments));
      String fullName = contestant.label() + "-" + name;
      Path log = parts.built().logs().resolve(fullName + ".log");
      ChildJvm jvm = ChildJvm.start(fullName, jdk, pinned ? core : -1, log, all);
      jvms.put(name, jvm);
      return jvm;
    }
  }

  Contestant contestant() {
    return contestant;
  }

  /** Classes that each JVM had loaded after the first calls, by {@code classes.*}. */
  Map<String, Double> loadedClasses() {
    return loadedClasses;
  }

  /** Names of the JVMs. */
  Set<String> jvms() {
    return jvms.keySet();
  }

  long pid(String jvm) {
    return jvms.get(jvm).pid();
  }

  /** Makes the client do something unmeasured. */
  Reading ask(String command) throws IOException {
    return Reading.parse(jvms.get("client").ask(command));
  }

  /**
   * Makes the client do something and adds to its reading what that cost each JVM, per call: {@code
   * switches.*}, {@code cpu.*} in microseconds and, with {@code bytes}, {@code bytes.*}.
   */
  Reading measure(String command, boolean bytes) throws IOException {
    if (bytes) {
      allocations.values().forEach(RemoteAllocation::begin);
    }
    Map<String, ThreadCosts> before = costs();
    Reading reading = ask(command);
    Map<String, ThreadCosts> after = costs();
    double calls = reading.get("calls");
    double cpu = 0;
    for (String name : jvms.keySet()) {
      ThreadCosts now = after.get(name);
      ThreadCosts then = before.get(name);
      reading.put("switches." + name, now.switchesSince(then) / calls);
      double micros = now.runNanosSince(then) / calls / 1e3;
      reading.put("cpu." + name, micros);
      cpu += micros;
    }
    reading.put("cpu.all", cpu);
    if (bytes) {
      allocations.forEach((name, look) -> reading.put("bytes." + name, look.end() / calls));
    }
    return reading;
  }

  private Map<String, ThreadCosts> costs() throws IOException {
    Map<String, ThreadCosts> costs = new LinkedHashMap<>();
    for (Map.Entry<String, ChildJvm> jvm : jvms.entrySet()) {
      costs.put(jvm.getKey(), ThreadCosts.of(jvm.getValue().pid()));
    }
    return costs;
  }

  @Override
  public void close() {
    for (RemoteAllocation allocation : allocations.values()) {
      try {
        allocation.close();
      } catch (IOException gone) {
        // The JVM ends now anyway.
      }
    }
    jvms.values().forEach(ChildJvm::close);
  }
}
