package io.rmigate.gateway.session;

import static io.rmigate.gateway.session.TestAgent.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.view.GatewayView.CallState;
import io.rmigate.gateway.view.GatewayView.CallView;
import io.rmigate.gateway.view.HungCalls;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Listen;
import io.rmigate.protocol.tunnel.Listening;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Which calls wait, for an admin to see. */
class HungCallsTest {
  private static final ObjIdentifier OBJECT = new ObjIdentifier(7, 1, 2, (short) 3);
  private static final byte[] CALL = Calls.method(OBJECT, "m()V", out -> {});

  @RegisterExtension final SessionBed bed = new SessionBed();

  @Test
  void callsAreListedFromConnectingToTheirReturnTheOldestFirst() throws Exception {
    ScriptedRmiServer mute = bed.scripted(FailurePolicy.NEVER_ANSWER);
    ScriptedRmiServer deaf = bed.scripted(FailurePolicy.NEVER_ACK);
    TestAgent agent = bed.agent();
    HungCalls calls = new HungCalls(bed.registry()::calls, () -> Duration.ofDays(1));
    agent.open(1, mute.port());
    agent.open(3, deaf.port());
    agent.request(1, CALL);
    awaitThat(() -> mute.received().length == CALL.length);
    agent.request(3, Calls.list());
    awaitThat(() -> calls.list().size() == 2 && !deaf.connections().isEmpty());

    CallView first = calls.list().get(0);
    CallView second = calls.list().get(1);
    assertThat(first.state()).isEqualTo(CallState.WAITING);
    assertThat(first.target()).isEqualTo("127.0.0.1:" + mute.port());
    assertThat(first.operation()).isEqualTo(-1);
    assertThat(first.method()).isEqualTo(HexFormat.of().toHexDigits(Calls.hash("m()V")));
    assertThat(first.principal()).isEqualTo("ann");
    assertThat(first.session()).isEqualTo(bed.registry().sessions().get(0).id());
    assertThat(first.stream()).isEqualTo(1);
    assertThat(first.interfaces()).isEmpty();
    assertThat(first.hung()).isFalse();
    assertThat(second.state()).isEqualTo(CallState.CONNECTING);
    assertThat(second.interfaces()).isEqualTo("java.rmi.registry.Registry");
    assertThat(second.operation()).isEqualTo(1);
    assertThat(calls.count()).isZero();

    mute.connections().get(0).say(ScriptedRmiServer.VOID_RETURN);
    awaitThat(() -> calls.list().size() == 1);
    agent.close(3);
    assertThat(calls.list()).isEmpty();
  }

  @Test
  void aCallIsHungWhenItHasWaitedLongerThanIsSaid() throws Exception {
    ScriptedRmiServer mute = bed.scripted(FailurePolicy.NEVER_ANSWER);
    TestAgent agent = bed.agent();
    agent.open(1, mute.port());
    agent.request(1, CALL);
    HungCalls calls = new HungCalls(bed.registry()::calls, () -> Duration.ofMillis(50));

    awaitThat(() -> calls.count() == 1);
    assertThat(calls.list()).singleElement().matches(CallView::hung);
  }

  @Test
  void callsOfInnerJvmsToAgentsAreListedToo() throws Exception {
    TestAgent called = bed.stranger();
    called.hello(Feature.CALLBACKS);
    called.say(new Listen(1, 0));
    awaitThat(() -> called.port().frames(Listening.class).size() == 1);
    int port = called.port().frames(Listening.class).get(0).port();
    HungCalls calls = new HungCalls(bed.registry()::calls, () -> Duration.ofMillis(50));
    try (InnerJvm jvm = InnerJvm.connect(port)) {
      jvm.say(CALL);
      awaitThat(() -> called.port().dataBytes(2) == CALL.length);

      CallView call = calls.list().get(0);
      assertThat(call.state()).isEqualTo(CallState.CALLED_BACK);
      assertThat(call.target()).isEqualTo("gw.inner:" + port);
      assertThat(call.caller()).isEqualTo("0.0.0.0:" + jvm.localPort());
      assertThat(call.object()).isEqualTo(OBJECT.toString());
      assertThat(call.operation()).isEqualTo(-1);
      assertThat(call.method()).isEqualTo(HexFormat.of().toHexDigits(Calls.hash("m()V")));
      assertThat(call.stream()).isEqualTo(2);
      awaitThat(() -> calls.count() == 1);

      called.say(new Data(2, false, ScriptedRmiServer.VOID_RETURN));
      assertThat(calls.list()).isEmpty();
    }
  }

  @Test
  void theInterfaceIsKnownOnceARegistryHasHandedOutTheStub() throws Exception {
    LedgerServer ledger = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, ledger.port());
    agent.request(1, Calls.lookup("ledger"));
    awaitThat(() -> agent.port().dataBytes(1) > 0);
    agent.open(3, ledger.port());
    agent.request(3, ledger.await());

    awaitThat(() -> bed.registry().calls().anyMatch(call -> call.stream() == 3 && isLedger(call)));
    ledger.openGate();
  }

  private static boolean isLedger(CallView call) {
    return call.interfaces().equals(Ledger.class.getName());
  }

  @Test
  void noMoreAreListedThanTheOldest() throws Exception {
    ScriptedRmiServer mute = bed.scripted(FailurePolicy.NEVER_ANSWER);
    TestAgent agent = bed.agent();
    HungCalls calls = new HungCalls(bed.registry()::calls, () -> Duration.ZERO, 3);
    for (int i = 0; i < 6; i++) {
      agent.open(2 * i + 1, mute.port());
      agent.request(2 * i + 1, CALL);
      long before = i;
      awaitThat(() -> calls.list().get(0).ageMillis() > before); // none is as old as another
    }
    List<CallView> listed = calls.list();
    assertThat(listed)
        .hasSize(3)
        .isSortedAccordingTo(Comparator.comparingLong(CallView::ageMillis).reversed());
    assertThat(listed).anyMatch(call -> call.stream() == 1);
  }
}
