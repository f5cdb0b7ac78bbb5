package io.rmigate.gateway.container.coldstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.sample.Hello;
import io.rmigate.sample.SampleServer;
import io.rmigate.testing.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The classes that a fresh client loads until it has the answer to its first call. Each costs the
 * programs that run for a second; a lambda, a stream, a regular expression or an MBean costs many.
 */
@ExtendWith(LeftoverCheck.class)
@TestInstance(Lifecycle.PER_CLASS)
class ColdStartIT {
  private static final Path LIST = Path.of("src/test/resources/cold-start/classes.txt");
  private static final int MOST_MORE_THAN_PLAIN = 700;
  private static final int RUNS = 5;

  /** Of the JDK, what a start has no use for. */
  private static final List<String> GROUPS =
      List.of(
          "java.lang.invoke.",
          "java.lang.runtime.",
          "java.util.stream.",
          "java.util.regex.",
          "javax.management.",
          "com.sun.jmx.");

  private static final String HEAD =
      """
      # Classes of the client that ColdStartIT has seen until the first call was answered, and how
      # many classes of the JDK were loaded besides those of plain RMI. The test fails when a start
      # loads more. Before you write this file anew with -Drmigate.pages=write: each class costs
      # each start of each client about 0.2 ms. Can it be loaded when it is first used? Names stay
      # when the file is written, as builds of different JDKs load different ones; delete it first to
      # lose those that are not loaded any more.
      """;

  private Path directory;
  private InsideHosts hosts;
  private ChildJvm server;
  private String registry;
  private OpenGateway gateway;

  /** That of the clients: {@code Java 17}. */
  private String java;

  @BeforeAll
  void start() throws Exception {
    directory = Files.createDirectories(BuiltArtefacts.workDirectory(getClass()));
    hosts = InsideHosts.ofAllTests();
    server =
        ChildJvm.named("sample", directory)
            .jvmOptions(hosts.insideOption(), "-Xmx500m")
            .property("java.rmi.server.hostname", InsideHosts.INSIDE)
            .classPath(BuiltArtefacts.codeSource(SampleServer.class))
            .reusable()
            .main(SampleServer.class.getName())
            .start();
    registry =
        server.awaitLine(Pattern.compile("^sample ready (\\d+)$"), Patience.PATIENCE).group(1);
    gateway =
        OpenGateway.start(
            directory.resolve("gateway"), hosts, OpenGateway.targets(InsideHosts.INSIDE + ":*"));
  }

  @AfterAll
  void stop() throws Exception {
    for (AutoCloseable each : new AutoCloseable[] {gateway, server}) {
      if (each != null) {
        each.close();
      }
    }
  }

  /** What each run loads counts: a slow machine makes threads do more before the answer. */
  @Test
  void noClassIsLoadedBesidesThoseOfTheList() throws Exception {
    Set<String> plain = classes("plain", hosts.insideOption());
    Set<String> always = null;
    int fewest = Integer.MAX_VALUE;
    List<String> problems = List.of();
    boolean writing = "write".equals(System.getProperty("rmigate.pages"));
    for (int run = 0; run == 0 || (run < RUNS && (writing || !problems.isEmpty())); run++) {
      Set<String> tunnelled = tunnelled("tunnelled" + run);
      fewest = Math.min(fewest, tunnelled.size() - plain.size());
      tunnelled.removeAll(plain);
      if (always == null) {
        always = tunnelled;
      } else {
        always.retainAll(tunnelled);
      }
      problems = problems(always, fewest);
    }
    if (writing) {
      write(always);
      problems = problems(always, fewest);
    }

    assertThat(problems)
        .as(
            "load these classes on use, replace a lambda by what it calls, or add them to %s with"
                + " -Drmigate.pages=write",
            LIST)
        .isEmpty();
  }

  private List<String> problems(Set<String> classes, int moreThanPlain) throws Exception {
    List<String> listed = Files.readAllLines(LIST);
    List<String> problems = new ArrayList<>();
    for (String name : classes) {
      if (isOurs(name) && !listed.contains(name)) {
        problems.add(name);
      }
    }
    for (String group : GROUPS) {
      long most = most(listed, group);
      List<String> found = classes.stream().filter(name -> name.startsWith(group)).toList();
      if (most >= 0 && found.size() > most) {
        problems.add("more than " + most + " of " + group + "*: " + found);
      }
    }
    if (moreThanPlain > MOST_MORE_THAN_PLAIN) {
      problems.add(moreThanPlain + " classes more than plain RMI");
    }
    return problems;
  }

  /** How many classes of the group are allowed with this JDK; −1 where no JDK like it is listed. */
  private long most(List<String> listed, String group) {
    return listed.stream()
        .filter(line -> line.startsWith(count(group)))
        .mapToLong(line -> Long.parseLong(line.substring(count(group).length())))
        .findFirst()
        .orElse(-1);
  }

  private String count(String group) {
    return java + ", " + group + "*: ";
  }

  private Set<String> tunnelled(String name) throws Exception {
    return classes(
        name,
        hosts.outsideOption(),
        "-javaagent:%s=%s,tunnel=%s:*"
            .formatted(BuiltArtefacts.javaagent(), gateway.uri(), InsideHosts.INSIDE));
  }

  /** What a client loads until its first call has been answered, in this order. */
  private Set<String> classes(String name, String... options) throws Exception {
    Path log = directory.resolve(name + "-classes.log");
    try (ChildJvm client =
        ChildJvm.named(name, directory)
            .jvmOptions(options)
            .jvmOptions("-Xmx64m", "-Xlog:class+load=info:file=" + log + ":none")
            .classPath(
                BuiltArtefacts.codeSource(ColdClient.class), BuiltArtefacts.codeSource(Hello.class))
            .main(ColdClient.class.getName())
            .arguments(InsideHosts.INSIDE, registry)
            .start()) {
      java =
          client.awaitLine(Pattern.compile("^answered, (Java \\d+)$"), Patience.PATIENCE).group(1);
      assertThat(client.awaitExit(Patience.PATIENCE)).isZero();
    }
    Set<String> classes = new LinkedHashSet<>();
    for (String line : Files.readAllLines(log)) {
      int end = line.indexOf(" source: ");
      if (end > 0) {
        String loaded = line.substring(0, end).strip();
        if (loaded.startsWith(ColdClient.class.getName() + "$")) {
          return classes;
        }
        classes.add(withoutNumber(loaded));
      }
    }
    throw new AssertionError(log + " does not name what was loaded after the answer");
  }

  private static boolean isOurs(String name) {
    return name.startsWith("io.rmigate.")
        && !name.startsWith("io.rmigate.sample.")
        && !name.startsWith("io.rmigate.gateway.");
  }

  /** A hidden class has a number and an address, which differ from run to run. */
  private static String withoutNumber(String name) {
    return name.replaceAll("\\$\\$Lambda.*", "\\$\\$Lambda").replaceAll("/0x.*", "");
  }

  /** Only adds: other runs and other JDKs load what this one does not. */
  private void write(Set<String> classes) throws Exception {
    List<String> listed = Files.exists(LIST) ? Files.readAllLines(LIST) : List.of();
    Set<String> counts = new TreeSet<>();
    Set<String> names = new TreeSet<>();
    for (String line : listed) {
      if (line.startsWith("io.rmigate.")) {
        names.add(line);
      } else if (line.startsWith("Java ") && !line.startsWith(java + ",")) {
        counts.add(line);
      }
    }
    for (String group : GROUPS) {
      long found = classes.stream().filter(name -> name.startsWith(group)).count();
      counts.add(count(group) + Math.max(found, most(listed, group)));
    }
    classes.stream().filter(ColdStartIT::isOurs).forEach(names::add);
    Files.createDirectories(LIST.getParent());
    Files.writeString(
        LIST, HEAD + String.join("\n", counts) + "\n" + String.join("\n", names) + "\n");
  }
}
