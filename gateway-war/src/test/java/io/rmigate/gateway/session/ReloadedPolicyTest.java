package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.Refused;
import io.rmigate.protocol.tunnel.Tunnel;
import java.io.IOException;
import java.rmi.Remote;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A call is judged by one policy, also if another one comes into force between two checks. */
class ReloadedPolicyTest {
  private static final String ELSEWHERE = "other.inner";
  private static final int PORT = 1099;
  private static final ObjIdentifier OBJECT = new ObjIdentifier(7, 1, 2, (short) 3);
  private static final Remote NAMED = Calls.stub(Ledger.class, ELSEWHERE, PORT, OBJECT);

  /** More than anything asks about one call. */
  private static final int QUESTIONS = 40;

  /** More than is held of just any call. */
  private static final int LONG = 100_000;

  private static final byte[] CALL =
      Calls.method(OBJECT, "take(Ljava/lang/Object;)V", out -> out.writeObject(NAMED));

  private static final byte[] LONG_CALL =
      Calls.method(
          OBJECT,
          "take([BLjava/lang/Object;)V",
          out -> {
            out.writeObject(new byte[LONG]);
            out.writeObject(NAMED);
          });

  private static final byte[] VOID_RETURN = Calls.returned(null);

  @RegisterExtension final SessionBed bed = new SessionBed();

  private ScriptedRmiServer server;

  @BeforeEach
  void serve() throws IOException {
    server = bed.scripted(FailurePolicy.NONE);
    server.answer(VOID_RETURN);
  }

  private static Entry rules() {
    return Entry.enforced()
        .classes(Remote.class.getName(), Ledger.class.getName())
        .receivedObjects(false);
  }

  private static TargetGrant grant(String target, Entry rules) {
    return new TargetGrant(Set.of("*"), List.of(target), SessionBed.READING, rules.rules());
  }

  /** The server may be called. */
  private TargetGrant reaching(Entry rules) {
    return grant("127.0.0.1:" + server.port(), rules);
  }

  /** What the argument refers to may be called, and so be named. */
  private static TargetGrant naming() {
    return grant(ELSEWHERE + ":" + PORT, rules());
  }

  private static TargetPolicy policy(TargetGrant... grants) {
    return new TargetPolicy(List.of(grants));
  }

  private static void say(TestAgent agent, byte[] request, int from, int to) {
    say(agent, 1, request, from, to);
  }

  private static void say(TestAgent agent, int stream, byte[] request, int from, int to) {
    for (int at = from; at < to; at += Tunnel.MAX_BODY_BYTES) {
      int end = Math.min(to, at + Tunnel.MAX_BODY_BYTES);
      agent.say(new Data(stream, end == request.length, Arrays.copyOfRange(request, at, end)));
    }
  }

  @Test
  void aCallThatNoPolicyPermitsIsNotPermittedByTwoTogether() {
    TargetPolicy reaching = policy(reaching(rules()));
    bed.policy(reaching);
    TestAgent agent = bed.agent();
    for (int asked = 0; asked < QUESTIONS; asked++) {
      int stream = 2 * asked + 1;
      agent.open(stream, server.port());
      bed.policy(reaching);
      bed.policyOnceAsked(asked, policy(naming()));
      agent.request(stream, CALL);
      assertThat(agent.awaitRefused(stream, 0).reason())
          .as("with another policy after %d questions", asked)
          .isIn(RefusalReason.TARGET_NOT_PERMITTED, RefusalReason.OPERATION_NOT_PERMITTED);
      agent.close(stream);
    }
    assertThat(server.connections()).isEmpty();
    bed.policyOnceAsked(0, policy(reaching(rules()), naming()));
    agent.open(2 * QUESTIONS + 1, server.port());
    assertThat(agent.call(2 * QUESTIONS + 1, CALL, VOID_RETURN.length)).isEqualTo(VOID_RETURN);
  }

  @Test
  void aCallThatPassesAsItComesIsJudgedToItsEndByThePolicyOfItsBeginning() {
    Entry streaming = rules().callLimit(1000).stream(true);
    bed.policy(reaching(streaming));
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    say(agent, LONG_CALL, 0, LONG);
    bed.policy(reaching(streaming), naming());
    say(agent, LONG_CALL, LONG, LONG_CALL.length);
    agent.expectClose(1, CloseCause.NOT_PERMITTED);
    TestAgent.awaitThat(server::allEnded);
  }

  @Test
  void whatIsForbiddenBehindItsBeginningStillPasses() {
    Entry streaming = rules().callLimit(1000).stream(true);
    bed.policy(reaching(streaming), naming());
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    say(agent, LONG_CALL, 0, LONG);
    bed.policy(reaching(streaming));
    say(agent, LONG_CALL, LONG, LONG_CALL.length);
    assertThat(agent.awaitData(1, VOID_RETURN.length)).isEqualTo(VOID_RETURN);
  }

  @Test
  void aCallThatIsStillGatheredIsJudgedByThePolicyOfItsEnd() {
    bed.policy(reaching(rules()), naming());
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    say(agent, LONG_CALL, 0, LONG);
    bed.policy(naming());
    say(agent, LONG_CALL, LONG, LONG_CALL.length);
    agent.expectRefused(1, 1, RefusalReason.TARGET_NOT_PERMITTED);
    assertThat(server.connections()).isEmpty();
  }

  @Test
  void howMuchOfACallIsGatheredIsSaidByThePolicyThatJudgesIt() {
    bed.policy(reaching(rules().callLimit(LONG - 1)), naming());
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    say(agent, LONG_CALL, 0, LONG - 1);
    bed.policy(reaching(rules()), naming());
    say(agent, LONG_CALL, LONG - 1, LONG_CALL.length);
    assertThat(agent.awaitData(1, VOID_RETURN.length)).isEqualTo(VOID_RETURN);
  }

  @Test
  void aReplyIsJudgedByThePolicyOfItsCall() {
    server.answer(Calls.returned(new GatedCallsTest.Order()));
    bed.policy(reaching(rules()));
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    TargetGrant lax = reaching(Entry.of(ClassMode.OFF).receivedObjects(false));
    bed.policyOnceAsked(1, policy(lax));
    agent.request(1, Calls.method(OBJECT, "get()Ljava/lang/Object;", out -> {}));
    agent.expectClose(1, CloseCause.NOT_PERMITTED);
  }

  @Test
  void aLongCallThatEachOfTwoPoliciesPermitsIsPermittedByTheTwoTogether() {
    TargetPolicy streaming = policy(reaching(rules().callLimit(1000).stream(true)), naming());
    TargetPolicy gathering = policy(reaching(rules()), naming());
    TestAgent agent = bed.agent();
    for (int asked = 0; asked < QUESTIONS; asked++) {
      assertPasses(agent, 4 * asked + 1, streaming, asked, gathering);
      assertPasses(agent, 4 * asked + 3, gathering, asked, streaming);
    }
  }

  private void assertPasses(
      TestAgent agent, int stream, TargetPolicy before, int asked, TargetPolicy after) {
    bed.policyOnceAsked(asked, after);
    bed.policy(before);
    agent.open(stream, server.port());
    say(agent, stream, LONG_CALL, 0, LONG_CALL.length);
    TestAgent.awaitThat(
        () ->
            agent.port().dataBytes(stream) >= VOID_RETURN.length
                || !agent.port().frames(Refused.class).isEmpty());
    assertThat(agent.port().frames(Refused.class))
        .as("with another policy after %d questions", asked)
        .isEmpty();
    agent.close(stream);
  }
}
