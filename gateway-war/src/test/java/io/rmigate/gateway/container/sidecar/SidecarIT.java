package io.rmigate.gateway.container.sidecar;

import static io.rmigate.gateway.container.leases.Holding.tell;
import static io.rmigate.gateway.container.sidecar.SidecarBed.SOON;
import static io.rmigate.gateway.container.sidecar.SidecarBed.bySocks;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.container.ProbeRun;
import io.rmigate.gateway.container.probe.Way;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.InsideServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** JVMs that must not be touched, through a sidecar. */
class SidecarIT extends SidecarScenario {
  /** All that is asked of the tunnel, java.time, JMX and large arguments among it. */
  @TestFactory
  Stream<DynamicTest> rmiThroughASidecarIsRmi() throws Exception {
    InsideServers servers = InsideServers.start(bed.directory(), bed.hosts());
    int port = bed.sidecar("--listen", "127.0.0.1:0");
    List<String> options = new ArrayList<>(bySocks(port));
    options.add(bed.hosts().outsideOption());
    ProbeRun probe =
        new ProbeRun(
            "sidecar",
            bed.directory(),
            options,
            ProbeRun.inside(servers, 200, 1),
            Duration.ofSeconds(90));
    return probe
        .tests(Way.SIDECAR, bed.sidecarProcess())
        .onClose(
            () -> {
              probe.close();
              try {
                servers.close();
              } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
  }

  @Test
  void clientsOutliveARestartOfTheSidecar() throws Exception {
    bed.keeper(port, TWO_SECONDS);
    String reverse = "--reverse=" + bed.bellPort();
    // That a link by POSTs, which a busy machine may choose, has died is told by heartbeats alone.
    String way = "--way=websocket";
    int socks = bed.sidecar("--listen", "127.0.0.1:0", "--lease", "2s", way, reverse);
    ChildJvm client = bed.client(socks, port);
    bed.sidecarProcess().kill();

    // Which has the port as soon as the session of the one before is over.
    bed.sidecar("--listen", "127.0.0.1:" + socks, "--lease", "2s", reverse);
    assertThat(bed.sidecarProcess().output().stream().filter(line -> line.contains("in use")))
        .hasSizeLessThan(2);

    tell(client, "lookup");
    tell(client, "take b");
    tell(client, "call b");
  }

  @Test
  void repeatedLookupsDoNotReachTheRegistry() throws Exception {
    bed.keeper(port, TWO_SECONDS);
    ChildJvm client = bed.client(bed.sidecar("--listen", "127.0.0.1:0"), port);
    long before = bed.gateway().metric("rmigate_calls_total");
    for (int i = 0; i < 10; i++) {
      tell(client, "lookup");
    }
    assertThat(bed.gateway().metric("rmigate_calls_total")).isEqualTo(before);
  }

  @Test
  void forwardedPortStandsForItsServer() throws Exception {
    ChildJvm keeper = bed.keeper(port, TWO_SECONDS);
    int here = bed.sidecar("--forward", "0=" + InsideHosts.INSIDE + ":" + port, "--lease", "2s");

    // The registry is asked at the port here, and names the inner endpoints: the client never
    // connects there.
    ChildJvm client =
        bed.run(
            ChildJvm.named("lister", bed.directory())
                .jvmOptions("-Xmx64m")
                .classPath(BuiltArtefacts.codeSource(SidecarIT.class))
                .main(Lister.class.getName())
                .arguments(Integer.toString(here)));

    assertThat(client.output()).contains("names [Keeper]");
    assertThat(keeper.isAlive()).isTrue();
  }

  @Test
  void aPortThatTheGatewayDoesNotGiveEndsTheSidecarAndSaysWhatToDo() throws Exception {
    int other = bed.bellPort() == 1099 ? 1098 : 1099;
    String gateway = bed.gateway().uri().toString();
    assertThat(
            command(
                1,
                "sidecar",
                "--gateway",
                gateway,
                "--listen",
                "127.0.0.1:0",
                "--reverse",
                Integer.toString(other)))
        .contains("--reverse " + other)
        .contains("callbacks.allow[].explicit")
        .doesNotContain("ready");
  }

  @Test
  void whatIsNotListedIsRefused() throws Exception {
    bed.keeper(port, TWO_SECONDS);
    int socks = bed.sidecar("--listen", "127.0.0.1:0", "--tunnel", "elsewhere.example:*");
    ChildJvm client =
        bed.run(
            ChildJvm.named("lister", bed.directory())
                .jvmOptions("-Xmx64m", bed.hosts().outsideOption())
                .jvmOptions(bySocks(socks).toArray(String[]::new))
                .classPath(BuiltArtefacts.codeSource(SidecarIT.class))
                .main(Lister.class.getName())
                .arguments(InsideHosts.INSIDE, Integer.toString(port)));
    assertThat(client.output()).anyMatch(line -> line.startsWith("failed "));
    assertThat(bed.sidecarProcess().output()).anyMatch(line -> line.contains("neither in tunnel"));
  }

  @Test
  void commandSaysWhatIsWrongAndHow() throws Exception {
    assertThat(command(2)).contains("rmigate: no command");
    assertThat(command(2, "frobnicate")).contains("unknown command 'frobnicate'");
    assertThat(command(0, "--help")).contains("sidecar");
    assertThat(command(0, "--version")).contains("rmigate ");
    assertThat(command(0, "sidecar", "--help")).contains("--listen HOST:PORT").contains("keys:");
    assertThat(command(2, "sidecar")).contains("no gateway");
    assertThat(command(2, "sidecar", "--gatway", "x")).contains("did you mean gateway?");
    int socks = bed.sidecar("--listen", "127.0.0.1:0");
    assertThat(
            command(
                1, "sidecar", "--gateway", "https://gw.example", "--listen", "127.0.0.1:" + socks))
        .contains("127.0.0.1:" + socks)
        .contains("in use");
    bed.sidecarProcess()
        .awaitLine(Pattern.compile("^rmigate sidecar linked to http://127.0.0.1"), SOON);
  }

  private String command(int expected, String... arguments) throws Exception {
    Path directory = bed.directory();
    ChildJvm command =
        bed.run(
            ChildJvm.named("command", directory)
                .jar(BuiltArtefacts.javaagent())
                .arguments(arguments));
    assertThat(command.awaitExit(SOON)).isEqualTo(expected);
    return String.join("\n", command.output());
  }
}
