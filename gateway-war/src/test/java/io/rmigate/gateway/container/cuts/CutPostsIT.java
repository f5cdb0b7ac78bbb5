package io.rmigate.gateway.container.cuts;

import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.GatewayKind;
import io.rmigate.gateway.testing.GatewayUnderTest;
import io.rmigate.gateway.testing.TroubledRelay;
import io.rmigate.testing.Tier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Links of posts that are cut again and again. */
class CutPostsIT extends TroubledLinks {
  /**
   * Its TCP connections are many, and break all at once; no answer is lost, none is given twice.
   */
  @ParameterizedTest
  @MethodSource("io.rmigate.gateway.testing.GatewayKind#kindsOfThisTier")
  void callsGoOnAndEachIsExecutedOnceWhileAllConnectionsOfALinkOfPostsAreCut(GatewayKind kind)
      throws Exception {
    cut(kind, "");
  }

  @ParameterizedTest
  @MethodSource("io.rmigate.gateway.testing.GatewayKind#kindsOfThisTier")
  @Tag(Tier.FULL)
  void soDoTheyWhereTheWholeJvmHasTheGatewaysHost(GatewayKind kind) throws Exception {
    cut(kind, WHOLE_JVM);
  }

  private void cut(GatewayKind kind, String more) throws Exception {
    try (GatewayUnderTest gateway = start(kind);
        TroubledRelay relay = TroubledRelay.to(gateway.uri().getPort());
        ChildJvm client = client(gateway.uri(), relay.port(), ",way=post" + more)) {
      client.ask("go", Pattern.compile("^calling$"), SOON);
      cutAgainAndAgain(relay, lasting(kind));
      assertNothingWasLost(client);
    }
  }
}
