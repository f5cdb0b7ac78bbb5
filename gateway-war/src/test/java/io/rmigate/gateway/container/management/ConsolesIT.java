package io.rmigate.gateway.container.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.testing.Patience;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What consoles do is the same with a gateway in between, but for what needs a grant. */
@ExtendWith(LeftoverCheck.class)
class ConsolesIT {
  private static ManagementBed bed;

  @BeforeAll
  static void start() throws Exception {
    bed = new ManagementBed(BuiltArtefacts.workDirectory(ConsolesIT.class));
  }

  @AfterAll
  static void stop() {
    bed.close();
  }

  /** The lines of a console's operations. */
  private static List<String> console(String name, String... options) throws Exception {
    try (ChildJvm client =
        ChildJvm.named(name, bed.directory)
            .jvmOptions(options)
            .jvmOptions("-Xmx96m")
            .classPath(BuiltArtefacts.codeSource(ConsoleOperations.class))
            .main(ConsoleOperations.class.getName())
            .arguments(InsideHosts.INSIDE, bed.port)
            .start()) {
      client.awaitLine(Pattern.compile("^bye$"), Patience.PATIENCE);
      assertThat(client.awaitExit(Patience.PATIENCE)).isZero();
      return client.output().stream().filter(line -> line.contains(" -> ")).toList();
    }
  }

  private static List<String> ordinary(List<String> lines) {
    return lines.stream().filter(line -> !line.startsWith("grant ")).toList();
  }

  @Test
  void aConsoleSeesWhatItSeesDirectlyAndWhatNeedsAGrantFailsByItself() throws Exception {
    List<String> direct = console("direct", bed.hosts.insideOption());
    assertThat(direct)
        .hasSizeGreaterThan(70)
        .anyMatch(line -> line.startsWith("wrong password -> threw java.lang.SecurityException"))
        .anyMatch(
            line ->
                line.startsWith("refuse FilePermission -> threw")
                    && line.contains("java.security.AccessControlException"))
        .anyMatch(line -> line.startsWith("query one relation -> 2 true"));

    List<String> tunnelled = console("tunnelled", bed.agent(), bed.hosts.outsideOption());

    assertThat(String.join("\n", ordinary(tunnelled)))
        .isEqualTo(String.join("\n", ordinary(direct)));
    assertThat(tunnelled)
        .anyMatch(
            line ->
                line.startsWith("wrong password -> ")
                    && line.contains("Authentication failed! Invalid username or password"));
    List<String> granted = tunnelled.stream().filter(line -> line.startsWith("grant ")).toList();
    assertThat(granted)
        .hasSize(5)
        .allMatch(line -> line.contains("java.rmi.AccessException: rmigate: this call is not"));
    assertThat(bed.gateway.refusals()).containsOnlyKeys("method").containsEntry("method", 5L);
  }

  @Test
  void whereJmxIsNotPermittedBothSidesAreToldSo() throws Exception {
    OpenGateway gateway =
        OpenGateway.start(bed.directory.resolve("without"), bed.hosts, ManagementBed.target());
    try (gateway) {
      List<String> tunnelled =
          console("unpermitted", ManagementBed.agent(gateway), bed.hosts.outsideOption());
      assertThat(tunnelled)
          .anyMatch(
              line ->
                  line.startsWith("monitor -> ")
                      && line.contains("a connector of JMX")
                      && line.contains("jmx in the gateway's configuration"));
      assertThat(gateway.jvm().output())
          .anyMatch(line -> line.contains("to allow it add \"jmx: true\" to a targets entry"))
          .noneMatch(line -> line.contains("classes: ['javax.management"));
    }
  }
}
