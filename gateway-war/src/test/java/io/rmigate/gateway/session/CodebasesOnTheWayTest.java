package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.policy.rule.EntryRules;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.protocol.jrmp.CallBytes;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Tunnel;
import java.io.ByteArrayOutputStream;
import java.io.ObjectStreamConstants;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** T10. Calls and replies whose classes have a codebase, in a session. */
class CodebasesOnTheWayTest {
  private static final int CALLS = 4;

  @RegisterExtension final SessionBed bed = new SessionBed();

  private static byte[] call(String codebase) {
    return CallBytes.call(
        codebase,
        ObjectStreamConstants.PROTOCOL_VERSION_1,
        out -> {
          out.writeObject(new ArrayList<>(List.of("first")));
          out.writeObject("last");
        });
  }

  private void permit(EntryRules rules) {
    bed.policy(new TargetGrant(Set.of("*"), List.of("127.0.0.1:*"), SessionBed.ALL, rules));
  }

  private static void awaitAnswers(TestAgent agent, int count) {
    agent.awaitData(1, count * ScriptedRmiServer.VOID_RETURN.length);
  }

  /** What was dropped is no longer anybody's: the agent gets its credit back. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsDroppedOfCallsGivesItsCreditBack(boolean stream) throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    permit(
        stream ? Entry.enforced().callLimit(1000).stream(true).rules() : Entry.enforced().rules());
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    int window = bed.settings().limits().streamCredit();
    byte[] call = call("http://a.example/ ".repeat(window / 12));
    assertThat(call.length).isGreaterThan(window);
    long sent = 0;
    for (int i = 1; i <= CALLS; i++) {
      for (int from = 0; from < call.length; from += Tunnel.MAX_BODY_BYTES) {
        int to = Math.min(call.length, from + Tunnel.MAX_BODY_BYTES);
        long after = sent + to - from;
        TestAgent.awaitThat(() -> window + agent.creditGiven(1) >= after);
        agent.say(new Data(1, to == call.length, Arrays.copyOfRange(call, from, to)));
        sent = after;
      }
      awaitAnswers(agent, i);
    }
    long all = sent;
    TestAgent.awaitThat(() -> agent.creditGiven(1) >= all - window / 2);
    assertThat(agent.creditGiven(1)).isLessThanOrEqualTo(all);
    TestAgent.awaitThat(() -> agent.session().context().share().room().heldBytes().taken() == 0);
    assertThat(bed.registry().sessions()).hasSize(1); // whose end would give back all
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    for (int i = 0; i < CALLS; i++) {
      expected.writeBytes(call(""));
    }
    assertThat(server.received()).isEqualTo(expected.toByteArray());
  }

  @Test
  void ofAReplyNothingElseChanges() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    permit(Entry.enforced().rules());
    server.answer(returned("file:/srv/application.jar"));
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.request(1, CallBytes.callWith("text"));
    byte[] expected = returned("");
    assertThat(agent.awaitData(1, expected.length)).isEqualTo(expected);
  }

  @Test
  void whereNothingIsEnforcedAllGoesOnAsItComes() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    permit(Entry.of(ClassMode.LEARN).rules());
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    byte[] call = call("file:/srv/application.jar");
    agent.request(1, call);
    awaitAnswers(agent, 1);
    assertThat(server.received()).isEqualTo(call);
  }

  private static byte[] returned(String codebase) {
    return CallBytes.message(
        0x51,
        codebase,
        ObjectStreamConstants.PROTOCOL_VERSION_1,
        out -> {
          out.writeByte(1);
          out.write(new byte[14]);
          out.writeObject(new ArrayList<>(List.of("first")));
        });
  }
}
