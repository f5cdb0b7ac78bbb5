package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.policy.JudgedMessage;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.policy.rule.EntryRules;
import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Share;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Feature;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.rmi.MarshalledObject;
import java.rmi.UnmarshalException;
import java.rmi.server.UID;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A reply is looked into as it comes, and nothing goes on that has not been judged. */
class GatedRepliesTest {
  private static final int CREDIT = 64 * 1024;

  @RegisterExtension final SessionBed bed = new SessionBed();

  @BeforeEach
  void enforce() {
    enforce(Entry.enforced());
  }

  private void enforce(Entry calls) {
    bed.policy(
        new TargetGrant(Set.of("*"), List.of("127.0.0.1:*"), SessionBed.READING, calls.rules()));
  }

  private static byte[] call() {
    return Calls.method(new ObjIdentifier(7, 1, 2, (short) 3), "get()V", out -> {});
  }

  private TestAgent agentAt(ScriptedRmiServer server) {
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    return agent;
  }

  /** Which classes a client looks for that has got so much of a Return. */
  private static List<String> classesAskedForBy(byte[] beginning) throws Exception {
    List<String> names = new ArrayList<>();
    ByteArrayInputStream bytes = new ByteArrayInputStream(beginning);
    bytes.skip(1); // the message's code
    try (ObjectInputStream in =
        new ObjectInputStream(bytes) {
          @Override
          protected Class<?> resolveClass(ObjectStreamClass type)
              throws IOException, ClassNotFoundException {
            names.add(type.getName());
            return super.resolveClass(type);
          }
        }) {
      in.readByte();
      UID.read(in);
      in.readObject();
    } catch (EOFException thatWasAll) {
      return names;
    }
    return names;
  }

  private void assertEndsTheStream(byte[] reply) throws Exception {
    for (FailurePolicy pieces : List.of(FailurePolicy.NONE, FailurePolicy.SINGLE_BYTES)) {
      ScriptedRmiServer server = bed.scripted(pieces);
      server.answer(reply);
      TestAgent agent = agentAt(server);
      agent.request(1, call());
      agent.expectClose(1, CloseCause.NOT_PERMITTED);
      assertThat(classesAskedForBy(agent.port().data(1)))
          .doesNotContain(GatedCallsTest.Order.class.getName());
    }
  }

  @Test
  void aResultThatNothingAllowsEndsTheStream() throws Exception {
    assertEndsTheStream(Calls.returned(new GatedCallsTest.Order()));
    assertEndsTheStream(Calls.returned(new ArrayList<>(List.of("x", new GatedCallsTest.Order()))));
  }

  private static void assertSaysExecuted(Throwable thrown) {
    assertThat(thrown)
        .isExactlyInstanceOf(UnmarshalException.class)
        .hasMessageContaining("the call was executed; the result was refused")
        .hasNoCause();
    assertThat(thrown.getStackTrace()).noneMatch(at -> at.getClassName().contains("gateway"));
  }

  /** What RMI's client throws as it is. An end of the stream would look like a failed connect. */
  @Test
  void aRefusedResultIsAnsweredWithAnExceptionThatSaysThatTheCallWasExecuted() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    server.answer(Calls.returned(new GatedCallsTest.Order()));
    TestAgent agent = agentAt(server);
    agent.request(1, call());
    agent.expectClose(1, CloseCause.NOT_PERMITTED);
    assertSaysExecuted(Calls.thrownIn(agent.port().data(1)));
  }

  /** Nothing can stand in the place of a Return that has begun: the end itself says it. */
  @Test
  void aResultThatIsRefusedBehindItsBeginningEndsTheStreamWithTheReason() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    server.answer(
        Calls.returned(new ArrayList<>(List.of(new byte[300_000], new GatedCallsTest.Order()))));
    for (Feature[] features : new Feature[][] {{}, {Feature.REASONS}}) {
      TestAgent agent = bed.stranger();
      agent.hello(features);
      agent.awaitWelcome();
      agent.open(1, server.port());
      agent.request(1, call());
      TestAgent.awaitThat(() -> agent.port().dataBytes(1) > 0);
      agent.credit(1, 400_000);
      agent.expectClose(1, CloseCause.NOT_PERMITTED);
      String text = agent.port().frames(Close.class).get(0).text();
      if (features.length == 0) {
        assertThat(text).isEmpty();
      } else {
        assertThat(text).contains("the call was executed; the result was refused");
      }
    }
  }

  /** An agent that has no room for the exception is told by the end. */
  @Test
  void aRefusedResultNeedsNoMoreRoomThanTheAgentHas() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    server.answer(Calls.returned(new GatedCallsTest.Order()));
    TestAgent agent = bed.stranger();
    agent.hello(20);
    agent.awaitWelcome();
    agent.open(1, server.port());
    agent.request(1, call());
    agent.expectClose(1, CloseCause.NOT_PERMITTED);
    assertThat(agent.port().data(1)).isEmpty();
  }

  /** The client would read it as the answer to its next call. */
  @Test
  void aReturnHiddenInAReturnReachesNobody() throws Exception {
    byte[] whole = Calls.returnHiding(Calls.returned(new GatedCallsTest.Order()));
    for (FailurePolicy pieces : List.of(FailurePolicy.NONE, FailurePolicy.SINGLE_BYTES)) {
      ScriptedRmiServer server = bed.scripted(pieces);
      server.answer(whole);
      TestAgent agent = agentAt(server);
      agent.request(1, call());
      agent.expectClose(1, CloseCause.NOT_PERMITTED);
      assertSaysExecuted(Calls.thrownIn(agent.port().data(1)));
    }
  }

  @Test
  void nothingOfADescriptorGoesOnBeforeItHasBeenJudged() {
    byte[] reply = Calls.returned(new ArrayList<>(List.of("x", new GatedCallsTest.Order())));
    JudgedMessage judged =
        Rulebook.OFF
            .rules(List.of(Entry.enforced().rules()))
            .replyOfServer(new Share(Quota.half(1 << 20)), reference -> {});
    ByteBuffer passed = ByteBuffer.allocate(reply.length);
    int next = 0;
    while (judged.more(ByteBuffer.wrap(reply, next++, 1)).isEmpty()) {
      passed.put(judged.take(judged.ready()));
    }
    assertThat(new String(passed.array(), StandardCharsets.ISO_8859_1))
        .contains("java.util.ArrayList")
        .doesNotContain("Order");
  }

  @Test
  void anExceptionThatNothingAllowsEndsTheStream() throws Exception {
    assertEndsTheStream(
        Calls.thrown(
            new IllegalStateException(
                new GatedCallsTest.SuppressingException(new GatedCallsTest.Order()))));
  }

  @Test
  void bytesBehindAReturnEndTheStream() throws Exception {
    assertEndsTheStream(Calls.join(Calls.returned("x"), Calls.returned("y")));
  }

  @Test
  void whatIsAllowedPassesInAnyPieces() throws Exception {
    byte[] reply = Calls.returned(new ArrayList<>(List.of("x", 7, new int[] {1, 2})));
    for (FailurePolicy pieces : List.of(FailurePolicy.NONE, FailurePolicy.SINGLE_BYTES)) {
      ScriptedRmiServer server = bed.scripted(pieces);
      server.answer(reply);
      assertThat(agentAt(server).call(1, call(), reply.length)).isEqualTo(reply);
    }
  }

  /** A call by an agent that has room for {@link #CREDIT} bytes of the reply, which have come. */
  private TestAgent callWithCredit(ScriptedRmiServer server) {
    TestAgent agent = bed.stranger();
    agent.hello(CREDIT);
    agent.awaitWelcome();
    agent.open(1, server.port());
    agent.request(1, call());
    agent.awaitData(1, CREDIT);
    return agent;
  }

  @Test
  void aLongReplyThatIsHeldPassesAsTheAgentHasRoom() throws Exception {
    byte[] reply = Calls.returned(new byte[300_000]);
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    server.answer(reply);
    TestAgent agent = callWithCredit(server);
    agent.credit(1, 100_000);
    agent.awaitData(1, CREDIT + 100_000);
    agent.credit(1, 300_000);
    assertThat(agent.awaitData(1, reply.length)).isEqualTo(reply);
  }

  @Test
  void theEndOfASingleReplyComesBehindAllOfIt() throws Exception {
    byte[] reply = Calls.returned(new byte[300_000]);
    ScriptedRmiServer server = bed.scripted(FailurePolicy.CLOSE_AFTER_RETURN);
    server.answer(reply);
    TestAgent agent = callWithCredit(server);
    TestAgent.awaitThat(server::allEnded);
    assertThat(agent.returnEnds(1)).isEmpty();
    agent.credit(1, 300_000);
    assertThat(agent.awaitData(1, reply.length)).isEqualTo(reply);
    assertThat(agent.awaitReturnEnd(1).request()).isEqualTo(1);
  }

  @Test
  void whatIsHeldOfALongReplyTakesRoomUntilItHasGoneOn() throws Exception {
    enforce(Entry.enforced().classes(MarshalledObject.class.getName()));
    byte[] reply = Calls.returned(new MarshalledObject<>(new byte[300_000]));
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    server.answer(reply);
    TestAgent agent = callWithCredit(server);
    Share held = bed.registry().heldBytes();
    TestAgent.awaitThat(() -> held.taken() >= reply.length);
    agent.credit(1, 300_000);
    agent.awaitData(1, reply.length);
    TestAgent.awaitThat(() -> held.taken() == 0);
  }

  /** Else it would be held there, uncounted, once for each session that does not read. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatWasHeldAsAWholeGoesOnAsTheLinkTakesIt(boolean creditComesLater) throws Exception {
    enforce(Entry.enforced().classes(MarshalledObject.class.getName()));
    byte[] reply = Calls.returned(new MarshalledObject<>(new byte[900_000]));
    ScriptedRmiServer server = bed.scripted(FailurePolicy.CLOSE_AFTER_RETURN);
    server.answer(reply);
    TestAgent agent = bed.stranger();
    agent.hello(creditComesLater ? CREDIT : reply.length);
    agent.awaitWelcome();
    agent.open(1, server.port());
    Share held = bed.registry().heldBytes();
    if (!creditComesLater) {
      agent.port().sends(RecordingLinkPort.Sends.STUCK);
    }
    agent.request(1, call());
    TestAgent.awaitThat(server::allEnded);
    TestAgent.awaitThat(() -> bytesToClient(agent) >= CREDIT);
    if (creditComesLater) {
      agent.awaitData(1, CREDIT);
      agent.port().sends(RecordingLinkPort.Sends.STUCK);
      agent.credit(1, reply.length - CREDIT);
    }
    long mostInQueue = 2 * OutboundQueue.FULL_BYTES;
    assertThat(bytesToClient(agent)).isLessThanOrEqualTo(mostInQueue);
    assertThat(held.taken()).isGreaterThan(reply.length - mostInQueue);
    agent.credit(1, 1); // makes no more room
    assertThat(bytesToClient(agent)).isLessThanOrEqualTo(mostInQueue);

    agent.port().release(RecordingLinkPort.Sends.INLINE);
    assertThat(agent.awaitData(1, reply.length)).isEqualTo(reply);
    assertThat(agent.awaitReturnEnd(1).request()).isEqualTo(1);
    TestAgent.awaitThat(() -> held.taken() == 0);
  }

  private static long bytesToClient(TestAgent agent) {
    return agent.session().view().streams().get(0).bytesToClient();
  }

  @Test
  void nothingFollowsALongReplyThatHasGoneOn() {
    Share room = new Share(Quota.half(1 << 20));
    JudgedMessage judged =
        Rulebook.OFF.rules(List.of(Entry.enforced().rules())).replyOfServer(room, reference -> {});
    assertThat(judged.more(ByteBuffer.wrap(Calls.returned(new byte[300_000])))).isEmpty();
    judged.takeReady();
    assertThat(room.taken()).isZero();
    assertThat(judged.more(ByteBuffer.wrap(new byte[] {0x70}))).isNotEmpty();
  }

  private static JudgedMessage learning(Share room, int limit) {
    EntryRules learn = Entry.of(ClassMode.LEARN).callLimit(limit).rules();
    return Rulebook.OFF.rules(List.of(learn)).replyOfServer(room, reference -> {});
  }

  @Test
  void whereObjectionsAreOnlyNotedNothingIsHeldOrLost() {
    byte[] whole = Calls.returned(new GatedCallsTest.Order());
    byte[] wholeIsLong = Calls.returned(new byte[300_000]);
    for (byte[] reply :
        List.of(
            wholeIsLong,
            whole,
            Arrays.copyOf(whole, whole.length - 20),
            Calls.join(whole, wholeIsLong))) {
      for (Share room : List.of(new Share(Quota.half(0)), new Share(Quota.half(1 << 20)))) {
        for (int limit : List.of(100_000, 1 << 20)) {
          JudgedMessage judged = learning(room, limit);
          ByteBuffer passed = ByteBuffer.allocate(reply.length);
          for (int from = 0; from < reply.length; from += 30_000) {
            int length = Math.min(30_000, reply.length - from);
            judged.more(ByteBuffer.wrap(reply, from, length));
            assertThat(judged.ready()).isEqualTo(length);
            passed.put(judged.take(length));
          }
          assertThat(passed.array()).isEqualTo(reply);
          judged.close();
          assertThat(room.taken()).isZero();
        }
      }
    }
  }
}
