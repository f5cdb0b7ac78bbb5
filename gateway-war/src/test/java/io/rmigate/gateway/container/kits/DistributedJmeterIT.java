package io.rmigate.gateway.container.kits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.rmigate.gateway.container.WorkDirectory;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.NetworkNamespace;
import io.rmigate.gateway.testing.ThreeNetworks;
import io.rmigate.testing.LoopbackPort;
import io.rmigate.testing.Tier;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test of JMeter's that is spread over engines: the engine is in a network of its own, and calls
 * the listener of the JMeter that has started it. By the rules that were learned from it the
 * gateway lets all of that pass.
 */
@Tag(Tier.FULL)
@ExtendWith(LeftoverCheck.class)
class DistributedJmeterIT {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final int SAMPLES = 10;
  private static final String CONFIGURATION = "ApacheJMeter_config";

  private Path directory;
  private Path home;
  private Path interfaces;
  private List<Path> jars;
  private ThreeNetworks networks;
  private ChildJvm engine;
  private final String port = Integer.toString(LoopbackPort.free());
  private int started;

  @BeforeEach
  void startEngine() throws Exception {
    Optional<String> obstacle = NetworkNamespace.obstacle();
    if (obstacle.isPresent()) {
      abort(obstacle.get());
    }
    directory = WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass()));
    home = directory.resolve("home");
    interfaces = Files.createDirectories(directory.resolve("interfaces"));
    try (Stream<Path> all =
        Files.list(Path.of(System.getProperty("rmigate.test.jmeter", "target/jmeter")))) {
      jars = all.map(Path::toAbsolutePath).sorted().toList();
    }
    for (Path jar : jars) {
      place(jar);
    }
    networks = ThreeNetworks.separate();
    engine =
        jmeter("engine", networks.inside())
            .property("java.rmi.server.hostname", ThreeNetworks.SERVER)
            .arguments("-s", "-Dserver_port=" + port, "-Jserver.rmi.localport=0")
            .arguments(common("engine"))
            .start();
    engine.awaitLine(Pattern.compile("^Created remote object"), SOON);
  }

  @AfterEach
  void stopEverything() throws Exception {
    if (engine != null) {
      engine.close();
    }
    if (networks != null) {
      networks.close();
    }
  }

  /** Puts a jar where JMeter looks for it, and JMeter's own to what the gateway has. */
  private void place(Path jar) throws IOException {
    String name = jar.getFileName().toString();
    if (name.startsWith(CONFIGURATION)) {
      try (ZipFile files = new ZipFile(jar.toFile())) {
        for (ZipEntry entry : files.stream().toList()) {
          if (entry.getName().matches("bin/[^/]+")) {
            Path file = home.resolve(entry.getName());
            Files.createDirectories(file.getParent());
            try (InputStream in = files.getInputStream(entry)) {
              Files.copy(in, file);
            }
          }
        }
      }
    } else if (name.matches("(ApacheJMeter_|jorphan).*")) {
      Path extensions = Files.createDirectories(home.resolve("lib/ext"));
      Files.createDirectories(home.resolve("lib/junit"));
      Files.copy(jar, extensions.resolve(name));
      Files.copy(jar, interfaces.resolve(name));
    }
  }

  private ChildJvm.Builder jmeter(String name, NetworkNamespace network) {
    return ChildJvm.named(name, directory)
        .inside(network)
        .jvmOptions("-Xmx160m")
        .property("java.awt.headless", true)
        .property("java.util.prefs.userRoot", directory)
        .property("jmeter.home", home)
        .classPath(jars.toArray(Path[]::new))
        .main("org.apache.jmeter.NewDriver");
  }

  private String[] common(String name) {
    return new String[] {
      "-d",
      home.toString(),
      "-j",
      directory.resolve(name + "-jmeter.log").toString(),
      "-Jserver.rmi.ssl.disable=true"
    };
  }

  @Test
  void anEngineInsideSendsItsSamplesWithJmetersJarsAlone() throws Exception {
    try (ChildJvm gateway =
        gateway(
            """
            classes:
              interfaces: '%s'
            targets:
              - principals: ['*']
                allow: ['%s:*']
            """
                .formatted(interfaces, ThreeNetworks.SERVER))) {
      assertThat(samples(gateway)).isEqualTo(SAMPLES);

      assertThat(gateway.output())
          .anyMatch(line -> line.contains("class rules: ENFORCE"))
          .noneMatch(line -> line.contains(" refused: "));
    }
  }

  @Test
  void anEngineInsideSendsItsSamplesByTheRulesThatWereLearnedFromIt() throws Exception {
    try (ChildJvm gateway =
        gateway(
            """
            classes:
              interfaces: '%s'
              mode: learn
            targets:
              - principals: ['*']
                allow: ['%s:*']
            """
                .formatted(interfaces, ThreeNetworks.SERVER))) {
      assertThat(samples(gateway)).isEqualTo(SAMPLES);
    }
    String rules = learnedRules();

    try (ChildJvm gateway = gateway(rules)) {
      assertThat(samples(gateway)).isEqualTo(SAMPLES);

      assertThat(gateway.output())
          .anyMatch(line -> line.contains("class rules: ENFORCE"))
          .noneMatch(line -> line.contains(" refused: "));
    }
  }

  private Path configuration(String rules) throws IOException {
    String callbacks =
        """
        callbacks:
          address: %s
          host: %s
          from: ['%s']
          allow:
            - principals: ['*']
        """
            .formatted(
                ThreeNetworks.BORDER_INSIDE, ThreeNetworks.BORDER_INSIDE, ThreeNetworks.SERVER);
    return Files.writeString(
        directory.resolve("rmigate.yaml"),
        """
        listen: %s:0
        path: /rmigate
        insecure: true
        state: '%s'
        logins:
          anonymous: true
        """
                .formatted(ThreeNetworks.BORDER, directory.resolve("state"))
            + (rules.lines().anyMatch(line -> line.startsWith("callbacks:")) ? "" : callbacks)
            + rules
            + "\n");
  }

  private ChildJvm gateway(String rules) throws IOException {
    return ChildJvm.named("gateway" + ++started, directory)
        .inside(networks.border())
        .jvmOptions("-Xmx192m")
        .jar(BuiltArtefacts.war())
        .arguments("--config", configuration(rules).toString())
        .start();
  }

  private String learnedRules() throws Exception {
    try (ChildJvm command =
        ChildJvm.named("learned", directory)
            .inside(networks.border()) // where the addresses of the configuration are
            .jar(BuiltArtefacts.war())
            .arguments("policy", "learned", "--config")
            .arguments(directory.resolve("rmigate.yaml").toString())
            .start()) {
      assertThat(command.awaitExit(SOON)).isZero();
      return String.join("\n", command.output());
    }
  }

  /** How many samples a run has brought home, all of them successful. */
  private long samples(ChildJvm gateway) throws Exception {
    String uri = gateway.awaitLine(Pattern.compile("^rmigate ready (\\S+?)/?$"), SOON).group(1);
    String name = "jmeter" + ++started;
    Path results = directory.resolve(name + ".jtl");
    try (InputStream plan = getClass().getResourceAsStream("/jmeter/plan.jmx")) {
      Files.copy(plan, directory.resolve(name + ".jmx"));
    }
    try (ChildJvm jmeter =
        jmeter(name, networks.outside())
            .jvmOptions(
                "-javaagent:"
                    + BuiltArtefacts.javaagent()
                    + "="
                    + uri
                    + ",tunnel=*:*,way=websocket,stats=off")
            .arguments("-n", "-t", directory.resolve(name + ".jmx").toString())
            .arguments("-R", ThreeNetworks.SERVER + ":" + port, "-l", results.toString())
            .arguments(common(name))
            .start()) {
      assertThat(jmeter.awaitExit(SOON)).as(() -> String.join("\n", jmeter.output())).isZero();
    }
    return Files.readAllLines(results).stream().filter(line -> line.contains(",true,")).count();
  }
}
