package io.rmigate.gateway.session;

import static io.rmigate.gateway.session.TestAgent.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.callback.CallbackSettings;
import io.rmigate.gateway.callback.InnerPeers;
import io.rmigate.gateway.callback.port.PortRange;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.tunnel.Accept;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.Listen;
import io.rmigate.protocol.tunnel.Listening;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Welcome;
import java.net.ConnectException;
import java.net.InetAddress;
import java.rmi.UnmarshalException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The two sides of callbacks: inner JVMs on real sockets, the agent as frames. */
abstract class CallbackSides {
  static final ObjIdentifier OBJECT = new ObjIdentifier(42, 1, 2, (short) 3);
  static final VmIdentifier VM = new VmIdentifier(1, 2, 3, (short) 4);
  static final VmIdentifier OTHER_VM = new VmIdentifier(9, 9, 9, (short) 9);
  static final byte[] CALL = Calls.method(OBJECT, "ping()V", out -> {});
  static final byte[] RETURN = ScriptedRmiServer.VOID_RETURN;
  static final Principal BOB = new Principal("bob", Principal.Scheme.BASIC);

  @RegisterExtension final SessionBed bed = new SessionBed();

  final List<InnerJvm> inner = new ArrayList<>();

  @AfterEach
  void closeInner() throws Exception {
    for (InnerJvm jvm : inner) {
      jvm.close();
    }
  }

  // The two sides.

  static Hello greeting(Set<Feature> features, SessionToken token, int credit) {
    return new Hello(
        Tunnel.VERSION,
        Tunnel.VERSION,
        features,
        token,
        0,
        credit,
        List.of(Welcome.IDENTITY),
        Map.of());
  }

  TestAgent agent(Principal principal, Feature... also) {
    return agent(principal, TestAgent.CREDIT, also);
  }

  TestAgent agent(Principal principal, int credit, Feature... also) {
    TestAgent agent = bed.stranger(principal);
    Set<Feature> features = EnumSet.of(Feature.CALLBACKS, also);
    agent.say(greeting(features, SessionToken.NONE, credit));
    assertThat(agent.welcome().features()).isEqualTo(features);
    return agent;
  }

  TestAgent agent() {
    return agent(SessionBed.ANN);
  }

  static Listening listen(TestAgent agent, int listener, int port) {
    agent.say(new Listen(listener, port));
    awaitThat(() -> answers(agent, listener).size() == 1);
    return answers(agent, listener).get(0);
  }

  static List<Listening> answers(TestAgent agent, int listener) {
    return agent.port().frames(Listening.class).stream()
        .filter(answer -> answer.listener() == listener)
        .toList();
  }

  static int listen(TestAgent agent) {
    Listening answer = listen(agent, 1, 0);
    assertThat(answer.outcome()).isEqualTo(Listening.Outcome.LISTENING);
    return answer.port();
  }

  InnerJvm connect(int port) throws Exception {
    return keep(InnerJvm.connect(port));
  }

  /** From 127.0.0.{@code host}. */
  InnerJvm connectFrom(int host, int port) throws Exception {
    return keep(InnerJvm.connectFrom(InetAddress.getByName("127.0.0." + host), port));
  }

  InnerJvm keep(InnerJvm jvm) {
    inner.add(jvm);
    return jvm;
  }

  static Accept awaitAccept(TestAgent agent, int number) {
    awaitThat(() -> agent.port().frames(Accept.class).size() > number);
    return agent.port().frames(Accept.class).get(number);
  }

  /** Calls, and has the Call arrive at the agent. */
  static Accept call(InnerJvm jvm, TestAgent agent) throws Exception {
    int before = agent.port().frames(Accept.class).size();
    jvm.say(CALL);
    Accept accept = awaitAccept(agent, before);
    assertThat(agent.awaitData(accept.opened(), CALL.length)).isEqualTo(CALL);
    return accept;
  }

  static void answer(TestAgent agent, int stream, byte[] bytes) {
    agent.say(new Data(stream, false, bytes));
  }

  void settings(
      PortRange ports, String from, List<CallbackSettings.Allowance> allow, Duration quarantine) {
    bed.callbacks(
        Optional.of(
            new CallbackSettings(
                InetAddress.getLoopbackAddress(),
                "gw.inner",
                new CallbackSettings.ListenerPorts(ports, quarantine),
                InnerPeers.of(List.of(from)),
                allow,
                new CallbackSettings.ConnectionLimits(10, CallbackSettings.MAX_CONNECTIONS_IN_ALL),
                CallbackSettings.LEASE)));
  }

  static CallbackSettings.Allowance allowance(int maxPorts, PortRange... explicit) {
    return new CallbackSettings.Allowance(Set.of("*"), maxPorts, List.of(explicit));
  }

  static void expectNobodyAt(int port) {
    awaitThat(
        () -> {
          try (InnerJvm jvm = InnerJvm.silent(port)) {
            return jvm == null;
          } catch (ConnectException refused) {
            return true;
          }
        });
  }

  static List<Frame> frames(TestAgent agent, Class<?>... types) {
    return agent.port().frames().stream()
        .filter(frame -> List.of(types).contains(frame.getClass()))
        .toList();
  }

  /** What becomes of its call, and that its connection ends then. */
  static void assertIsToldAndNothingElse(InnerJvm jvm, String text) throws Exception {
    assertThat(jvm.thrown())
        .isExactlyInstanceOf(UnmarshalException.class)
        .hasMessageContaining(text)
        .hasNoCause();
    assertThat(jvm.next()).isEqualTo(-1);
  }
}
