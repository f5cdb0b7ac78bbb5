package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.limit.CallLimits;
import io.rmigate.gateway.limit.LockoutSettings;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.quota.Share;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.route.EndpointMapping;
import io.rmigate.gateway.route.Restraints;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.CloseCause;
import java.io.IOException;
import java.rmi.MarshalledObject;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Want of room is the gateway's own: who meets it is told so, and is locked out for nothing. */
class NoRoomTest {
  private static final int CALL_LIMIT = 64 * 1024;

  /** Has to be kept as a whole, and is longer than a call may be that is gathered. */
  private static final byte[] CALL =
      Calls.method(
          new ObjIdentifier(7, 1, 2, (short) 3),
          "take(Ljava/rmi/MarshalledObject;)V",
          out -> {
            out.writeObject(new byte[100_000]);
            out.writeObject(marshalled());
          });

  private static final byte[] VOID_RETURN = Calls.returned(null);

  @RegisterExtension final SessionBed bed = new SessionBed();

  private ScriptedRmiServer server;

  private static Object marshalled() throws IOException {
    return new MarshalledObject<>(new byte[100_000]);
  }

  @BeforeEach
  void lockOutWhoIsRefusedOnce() throws IOException {
    server = bed.scripted(FailurePolicy.NONE);
    server.answer(VOID_RETURN);
    TargetGrant grant =
        new TargetGrant(
            Set.of("*"),
            List.of("127.0.0.1:*"),
            SessionBed.READING,
            Entry.enforced().classes(MarshalledObject.class.getName()).callLimit(CALL_LIMIT).stream(
                    true)
                .rules());
    LockoutSettings soon = new LockoutSettings(1, Duration.ofMinutes(10), Duration.ofMinutes(10));
    bed.policy(
        new TargetPolicy(
            List.of(grant),
            List.of(),
            EndpointMapping.DEFAULT,
            Rulebook.OFF,
            new Restraints(CallLimits.NONE, soon)));
  }

  private Share roomOf(TestAgent agent) {
    return bed.registry().share(agent.session().context().standing().caller()).room().heldBytes();
  }

  /** All that there is; what it was. */
  private static long takeAll(Share room) {
    long taken = 0;
    for (long most = 1L << 60; most > 0; most /= 2) {
      if (room.take(most)) {
        taken += most;
      }
    }
    return taken;
  }

  private void assertNothingWasHeldAgainst(TestAgent agent) {
    assertThat(bed.registry().lockouts()).isEmpty();
    assertThat(bed.refused("unreadable")).isZero();
    agent.open(3, server.port());
    agent.request(3, Calls.method(new ObjIdentifier(7, 1, 2, (short) 3), "none()V", out -> {}));
    agent.awaitData(3, VOID_RETURN.length);
  }

  @Test
  void aStreamedCallThatFindsNoRoomInItsMiddleEndsWithThatAndNotAsAgainstPolicy() {
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    int begun = 90_000;
    part(agent, Arrays.copyOf(CALL, begun));
    Share room = roomOf(agent);
    long taken = takeAll(room);
    part(agent, Arrays.copyOfRange(CALL, begun, CALL.length));
    agent.expectClose(1, CloseCause.NO_ROOM);
    assertThat(bed.refused("no-room")).isOne();
    room.release(taken);
    assertNothingWasHeldAgainst(agent);
  }

  /** There is room for the byte itself: its buffer is longer. The credit for it needs its own. */
  @Test
  void aStreamedCallIsLentNoCreditWithoutRoomForIt() {
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    int begun = 120_000;
    part(agent, Arrays.copyOf(CALL, begun));
    Share room = roomOf(agent);
    long taken = takeAll(room);
    agent.part(1, new byte[] {CALL[begun]});
    agent.expectClose(1, CloseCause.NO_ROOM);
    assertThat(bed.refused("no-room")).isOne();
    room.release(taken);
    assertNothingWasHeldAgainst(agent);
  }

  @Test
  void aReplyThatFindsNoRoomEndsItsStreamWithThat() {
    server.answer(Calls.returned(marshalledOf()));
    TestAgent agent = bed.agent();
    Share room = roomOf(agent);
    long taken = takeAll(room);
    agent.open(1, server.port());
    agent.request(1, Calls.method(new ObjIdentifier(7, 1, 2, (short) 3), "get()V", out -> {}));
    agent.expectClose(1, CloseCause.NO_ROOM);
    assertThat(bed.refused("reply-no-room")).isOne();
    room.release(taken);
    server.answer(VOID_RETURN);
    assertNothingWasHeldAgainst(agent);
  }

  private static Object marshalledOf() {
    try {
      return marshalled();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** All together are less than the credit that streams begin with. */
  private static void part(TestAgent agent, byte[] bytes) {
    int piece = 16 * 1024;
    for (int from = 0; from < bytes.length; from += piece) {
      agent.part(1, Arrays.copyOfRange(bytes, from, Math.min(from + piece, bytes.length)));
    }
  }
}
