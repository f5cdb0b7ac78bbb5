package io.rmigate.gateway.container.cuts;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.ExportAddress;
import io.rmigate.gateway.testing.GatewayKind;
import io.rmigate.gateway.testing.GatewayUnderTest;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.TroubledRelay;
import io.rmigate.testing.LoopbackPort;
import io.rmigate.testing.Tier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Links of WebSockets that are cut again and again. */
class CutLinksIT extends TroubledLinks {
  @ParameterizedTest
  @MethodSource("io.rmigate.gateway.testing.GatewayKind#kindsOfThisTier")
  void callsGoOnAndEachIsExecutedOnceWhileTheLinkIsCutAgainAndAgain(GatewayKind kind)
      throws Exception {
    cut(kind, "");
  }

  @Test
  @Tag(Tier.FULL)
  void soDoTheyWhereTheWholeJvmHasTheGatewaysHost() throws Exception {
    cut(GatewayKind.STANDALONE, WHOLE_JVM);
  }

  private void cut(GatewayKind kind, String more) throws Exception {
    try (GatewayUnderTest gateway = start(kind);
        TroubledRelay relay = TroubledRelay.to(gateway.uri().getPort());
        ChildJvm client = client(gateway.uri(), relay.port(), more)) {
      client.ask("go", Pattern.compile("^calling$"), SOON);
      int cuts = cutAgainAndAgain(relay, lasting(kind));
      assertNothingWasLost(client);
      assertThat(relay.connections()).isGreaterThan(cuts);
    }
  }

  /** The client's JVM has nothing of ours, and no link: that of its sidecar is cut. */
  @Test
  void callsOfAnUnchangedJvmGoOnWhileTheLinkOfItsSidecarIsCutAgainAndAgain() throws Exception {
    ExportAddress listener = new ExportAddress("127.0.0.2", LoopbackPort.free());
    try (GatewayUnderTest gateway =
            start(GatewayKind.STANDALONE, "      explicit: [" + listener.port() + "]\n");
        TroubledRelay relay = TroubledRelay.to(gateway.uri().getPort());
        ChildJvm sidecar = sidecar(gateway, relay, listener);
        ChildJvm client = unchangedClient(sidecar, listener)) {
      client.ask("go", Pattern.compile("^calling$"), SOON);
      int cuts = cutAgainAndAgain(relay, LASTING);
      assertNothingWasLost(client);
      assertThat(relay.connections()).isGreaterThan(cuts);
    }
  }

  private ChildJvm sidecar(GatewayUnderTest gateway, TroubledRelay relay, ExportAddress listener)
      throws Exception {
    ChildJvm sidecar =
        ChildJvm.named("sidecar", directory)
            .jvmOptions(hosts.outsideOption(), "-Xmx192m")
            .jar(BuiltArtefacts.javaagent())
            .arguments(
                "sidecar",
                "--gateway",
                "http://127.0.0.1:" + relay.port() + gateway.uri().getPath(),
                "--listen",
                "127.0.0.1:0",
                "--reverse",
                listener.port() + "=" + listener)
            .start();
    sidecar.awaitLine(Pattern.compile("^rmigate sidecar ready$"), SOON);
    return sidecar;
  }

  private ChildJvm unchangedClient(ChildJvm sidecar, ExportAddress listener) throws Exception {
    ChildJvm client =
        ChildJvm.named("client", directory)
            .jvmOptions(hosts.outsideOption(), "-Xmx192m")
            .property("socksProxyHost", "127.0.0.1")
            .property(
                "socksProxyPort",
                sidecar.awaitLine(Pattern.compile("listens on 127.0.0.1:(\\d+) "), SOON).group(1))
            .property("java.rmi.server.hostname", InsideHosts.INSIDE)
            .classPath(BuiltArtefacts.codeSource(TallyClient.class))
            .main(TallyClient.class.getName())
            .arguments(InsideHosts.INSIDE, registryPort, listener.toString())
            .start();
    client.awaitLine(Pattern.compile("^ready$"), SOON);
    return client;
  }
}
