package io.rmigate.gateway.container.kits;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.container.WorkDirectory;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.testing.LoopbackPort;
import io.rmigate.testing.Tier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A fat jar of Spring Boot, as server and as client, with rules that were learned from it. */
@Tag(Tier.FULL)
@ExtendWith(LeftoverCheck.class)
class SpringBootIT {
  private static final Duration SOON = Duration.ofMinutes(2);

  private final Path directory = BuiltArtefacts.workDirectory(getClass());
  private final String port = Integer.toString(LoopbackPort.free());
  private FatJar program;
  private InsideHosts hosts;
  private int clients;

  @Test
  void itsCallsHaveTheSameResultsByTheRulesThatWereLearnedFromThem() throws Exception {
    WorkDirectory.empty(directory);
    hosts = InsideHosts.ofAllTests();
    program = new FatJar(directory.resolve("program"));
    Path interfaces = Files.createDirectories(directory.resolve("interfaces"));
    program.copyInterfaces(interfaces);
    try (ChildJvm server =
        jvm("server", hosts.insideOption())
            .property("java.rmi.server.hostname", InsideHosts.INSIDE)
            .arguments("serve", port)
            .start()) {
      server.awaitLine(Pattern.compile("^stock ready$"), SOON);
      List<String> direct = call(hosts.insideOption());
      assertThat(direct)
          .anyMatch(line -> line.startsWith("loaded by Launched"))
          .contains("sold out pen", "sold out ink");
      try (OpenGateway gateway =
          OpenGateway.start(
              directory.resolve("gateway"),
              hosts,
              "classes:\n  interfaces: '" + interfaces + "'\n  mode: learn\n",
              OpenGateway.onlyTargets(InsideHosts.INSIDE + ":*"))) {
        assertThat(callThrough(gateway)).isEqualTo(direct);

        gateway.reconfigure(gateway.learnedRules());
        await().until(() -> gateway.get("/health/ready").contains("\"classRules\":\"enforce\""));

        assertThat(callThrough(gateway)).isEqualTo(direct);
        assertThat(gateway.refusals()).isEmpty();
      }
    }
  }

  private ChildJvm.Builder jvm(String name, String... options) {
    return ChildJvm.named(name, directory)
        .jvmOptions("-Xmx160m")
        .jvmOptions(options)
        .jar(program.jar());
  }

  private List<String> callThrough(OpenGateway gateway) throws InterruptedException {
    return call(
        hosts.outsideOption(),
        "-javaagent:"
            + BuiltArtefacts.javaagent()
            + "="
            + gateway.uri()
            + ",tunnel=*:*,way=websocket,stats=off");
  }

  /** The lines of results. */
  private List<String> call(String... options) throws InterruptedException {
    try (ChildJvm client =
        jvm("client" + ++clients, options).arguments("call", InsideHosts.INSIDE, port).start()) {
      assertThat(client.awaitExit(SOON)).as(() -> String.join("\n", client.output())).isZero();
      return client.output().stream()
          .filter(line -> line.matches("(loaded by|priced|all|shelved|sold out) .*"))
          .toList();
    }
  }
}
