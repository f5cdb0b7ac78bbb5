package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.rmigate.gateway.lease.CollectorCalls;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Share;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.route.FormerSessions;
import io.rmigate.gateway.route.SessionKnowledge;
import io.rmigate.gateway.route.SessionRoutes;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.Tunnel;
import java.lang.ref.WeakReference;
import java.rmi.Remote;
import java.rmi.server.UnicastRemoteObject;
import java.rmi.server.Unreferenced;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Calls of the collector that JVMs make themselves, where the gateway holds nothing for them. */
class CollectorCallsTest {
  private static final EndpointId SERVER = new EndpointId("inside.example", 1099);
  private static final VmIdentifier ANNS = new VmIdentifier(1, 2, 3, (short) 4);
  private static final long MINUTE = 60_000;
  private static final int VOID_RETURN = 22;

  @RegisterExtension final SessionBed bed = new SessionBed();

  private final AtomicLong clock = new AtomicLong();
  private final Cache<VmIdentifier, CollectorCalls> owners = Caffeine.newBuilder().build();
  private final CollectorCalls calls = new CollectorCalls(owners, 3, clock::get);

  /** For what one session may keep. */
  private final Share room = new Share(Quota.of(1));

  private final SessionKnowledge session = knowledge();

  private SessionKnowledge knowledge() {
    TargetPolicy policy = new TargetPolicy(List.of());
    SessionParts none =
        SessionParts.agree(Set.of(), () -> null, () -> null, () -> null, () -> null);
    SessionRoutes routes =
        new SessionRoutes("a test", SessionBed.ANN, new FormerSessions(clock::get), room);
    return new SessionKnowledge(SessionBed.ANN, routes, () -> policy, () -> none);
  }

  private static final class Held implements Remote, Unreferenced {
    final AtomicInteger unreferenced = new AtomicInteger();

    @Override
    public void unreferenced() {
      unreferenced.incrementAndGet();
    }
  }

  private static VmIdentifier jvm(long number) {
    return new VmIdentifier(number, 0, 0, (short) 0);
  }

  private static List<ObjIdentifier> objects(long... numbers) {
    return LongStream.of(numbers)
        .mapToObj(number -> new ObjIdentifier(number, 1, 1, (short) 1))
        .toList();
  }

  private Optional<String> dirty(VmIdentifier jvm, long... objects) {
    return calls.objection(
        session, SERVER, new DgcCall.Dirty(objects(objects), 1, Optional.of(jvm), MINUTE).encode());
  }

  private Optional<String> clean(VmIdentifier jvm, long... objects) {
    return clean(session, jvm, objects);
  }

  private Optional<String> clean(SessionKnowledge by, VmIdentifier jvm, long... objects) {
    return calls.objection(by, SERVER, new DgcCall.Clean(objects(objects), 2, jvm, false).encode());
  }

  @Test
  void objectsOfACallerAreBounded() {
    assertThat(dirty(ANNS, 11, 12)).isEmpty();
    assertThat(dirty(ANNS, 11, 12)).isEmpty(); // renewed
    assertThat(dirty(jvm(9), 11)).isEmpty();
    assertThat(dirty(jvm(9), 12)).hasValueSatisfying(why -> assertThat(why).contains("objects"));
    assertThat(clean(ANNS, 12)).isEmpty();
    assertThat(dirty(jvm(9), 12)).isEmpty();
  }

  @Test
  void whatTwoJvmsHoldIsHeldUntilBothLetGo() {
    ObjIdentifier object = objects(11).get(0);
    assertThat(dirty(ANNS, 11)).isEmpty();
    assertThat(dirty(jvm(9), 11)).isEmpty();
    assertThat(clean(ANNS, 11)).isEmpty();
    assertThat(clean(ANNS, 11)).isEmpty(); // which holds it no more
    assertThat(calls.isHeld(SERVER, object)).isTrue();
    assertThat(clean(jvm(9), 11)).isEmpty();
    assertThat(calls.isHeld(SERVER, object)).isFalse();
  }

  @Test
  void whatASilentJvmHeldIsNotHeldOnceItIsForgotten() {
    assertThat(dirty(jvm(9), 11, 12, 13)).isEmpty();
    clock.addAndGet(CollectorCalls.SILENCE.toNanos());
    assertThat(dirty(ANNS, 11)).isEmpty();
    assertThat(calls.isHeld(SERVER, objects(11).get(0))).isTrue();
    assertThat(calls.isHeld(SERVER, objects(12).get(0))).isFalse();
  }

  /** Whether the session was given one more that it may keep; what it was given it keeps. */
  private boolean keeps(long object) {
    return session.received().add(SERVER, objects(object).get(0));
  }

  @Test
  void whatASilentJvmHeldTakesNoRoomOnceItIsForgotten() {
    assertThat(keeps(11)).isTrue();
    assertThat(dirty(jvm(9), 11, 12, 13)).isEmpty();
    assertThat(keeps(14)).isFalse();
    clock.addAndGet(CollectorCalls.SILENCE.toNanos());
    assertThat(dirty(ANNS, 12)).isEmpty();
    assertThat(keeps(14)).isTrue();
  }

  @Test
  void whatASilentJvmHeldTakesRoomWhileAnotherHoldsIt() {
    assertThat(keeps(11)).isTrue();
    assertThat(dirty(jvm(9), 11, 12, 13)).isEmpty();
    clock.addAndGet(CollectorCalls.SILENCE.toNanos());
    assertThat(dirty(ANNS, 11)).isEmpty();
    assertThat(keeps(14)).isFalse();
    assertThat(clean(ANNS, 11)).isEmpty();
    assertThat(keeps(14)).isTrue();
  }

  @Test
  void whatAJvmLetsGoByOneSessionTakesNoRoomInAnother() {
    assertThat(keeps(11)).isTrue();
    assertThat(dirty(ANNS, 11)).isEmpty();
    assertThat(clean(knowledge(), ANNS, 11)).isEmpty();
    assertThat(keeps(14)).isTrue();
  }

  @Test
  void jvmsOfACallerAreBounded() {
    for (int i = 0; i < CollectorCalls.MAX_JVMS; i++) {
      assertThat(dirty(jvm(i))).isEmpty();
    }
    assertThat(dirty(ANNS)).hasValueSatisfying(why -> assertThat(why).contains("JVMs"));
    assertThat(dirty(jvm(7), 11)).isEmpty();
  }

  @Test
  void jvmsThatHaveBeenSilentForLongMakeRoom() {
    for (int i = 0; i < CollectorCalls.MAX_JVMS; i++) {
      dirty(jvm(i), i < 3 ? new long[] {i} : new long[0]);
    }
    clock.addAndGet(CollectorCalls.SILENCE.toNanos() - 1);
    dirty(jvm(0));
    assertThat(dirty(ANNS)).isPresent();
    clock.addAndGet(1);
    assertThat(dirty(ANNS, 11, 12)).isEmpty();
    assertThat(dirty(ANNS, 13)).isPresent(); // what has been renewed is still held
    assertThat(clean(jvm(1), 1)).isPresent();
    assertThat(clean(jvm(0), 0)).isEmpty();
  }

  @Test
  void whoRenewsIsNotForgottenForItsOwnNewObjects() {
    assertThat(dirty(ANNS, 11, 12)).isEmpty();
    clock.addAndGet(CollectorCalls.SILENCE.toNanos());
    assertThat(dirty(ANNS, 13, 14)).isPresent(); // which held two, and has come back
    assertThat(clean(ANNS, 11)).isEmpty();
    assertThat(dirty(ANNS, 13, 14)).isEmpty();
    assertThat(dirty(ANNS, 15)).isPresent();
  }

  @Test
  void nobodyTakesALeaseInTheNameOfAnotherCallersJvm() {
    CollectorCalls others = new CollectorCalls(owners, 3, clock::get);
    byte[] call = new DgcCall.Dirty(objects(11), 1, Optional.of(ANNS), MINUTE).encode();
    assertThat(calls.objection(session, SERVER, call)).isEmpty();
    assertThat(others.objection(session, SERVER, call))
        .hasValueSatisfying(why -> assertThat(why).contains("another caller"));
  }

  @Test
  void whatIsNoCallOfTheCollectorIsNotTakenForOne() {
    byte[] call = new DgcCall.Dirty(objects(11), 1, Optional.of(ANNS), MINUTE).encode();
    call[call.length - 1] ^= 1;
    assertThat(calls.objection(session, SERVER, call)).isEmpty(); // another duration
    byte[] longer = Arrays.copyOf(call, call.length + 1);
    assertThat(calls.objection(session, SERVER, longer)).isPresent();
  }

  @Test
  void nobodyLetsGoInTheNameOfAnotherCallersJvm() throws Exception {
    Held object = new Held();
    Remote stub = UnicastRemoteObject.exportObject(object, 0);
    try {
      int port = Calls.reference(stub).port();
      List<ObjIdentifier> id = List.of(Calls.reference(stub).object());
      byte[] clean = new DgcCall.Clean(id, 2, ANNS, false).encode();
      TestAgent ann = bed.agent();
      ann.open(1, port);
      ann.request(1, new DgcCall.Dirty(id, 1, Optional.of(ANNS), MINUTE).encode());
      TestAgent.awaitThat(() -> ann.port().dataBytes(1) > VOID_RETURN);
      TestAgent bob = bed.stranger(new Principal("bob", Principal.Scheme.BASIC));
      bob.hello();
      bob.open(1, port);

      bob.request(1, clean);

      bob.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
      assertThat(bed.refused("collector-call")).isOne();
      assertThat(object.unreferenced).hasValue(0);
      ann.request(1, clean);
      TestAgent.awaitThat(() -> object.unreferenced.get() == 1);
    } finally {
      UnicastRemoteObject.unexportObject(object, true);
    }
  }

  /** Otherwise a reconnect would lift all bounds. */
  @Test
  void whatACallersJvmsHoldCountsThoughItsLastSessionHasEnded() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    WeakReference<TunnelSession> gone = new WeakReference<>(sessionThatTakesALease(server));
    TestAgent.awaitThat(
        () -> {
          System.gc();
          return gone.get() == null;
        });
    TestAgent ann = bed.agent();
    ann.open(1, server.port());
    ann.call(1, new DgcCall.Clean(objects(11), 2, ANNS, false).encode(), VOID_RETURN);
    assertThat(ann.session().context().collectorCalls().objects()).isZero();
  }

  private TunnelSession sessionThatTakesALease(ScriptedRmiServer server) {
    TestAgent agent = new TestAgent(bed.registry(), RecordingLinkPort.Sends.INLINE, SessionBed.ANN);
    agent.hello();
    agent.open(1, server.port());
    agent.call(
        1, new DgcCall.Dirty(objects(11), 1, Optional.of(ANNS), MINUTE).encode(), VOID_RETURN);
    assertThat(agent.session().context().collectorCalls().objects()).isOne();
    agent.session().end(CloseCause.DONE, "");
    return agent.session();
  }

  /** Where nothing else is looked into either: it could not be read. */
  @Test
  void aCallOfManyObjectsIsGatheredAndOneThatIsLongerStillIsRefused() throws Exception {
    Held held = new Held();
    Remote stub = UnicastRemoteObject.exportObject(held, 0);
    try {
      TestAgent ann = bed.agent();
      ann.open(1, Calls.reference(stub).port());
      List<ObjIdentifier> many = objects(LongStream.range(0, 5_000).toArray());
      byte[] call = new DgcCall.Dirty(many, 1, Optional.of(ANNS), MINUTE).encode();
      assertThat(call.length).isBetween(64 * 1024, TestAgent.CREDIT);
      ann.request(1, call);
      TestAgent.awaitThat(() -> ann.port().dataBytes(1) > VOID_RETURN);
      ann.open(3, Calls.reference(stub).port());
      byte[] longer = Arrays.copyOf(call, 1 << 20);
      for (int from = 0; from < longer.length && ann.port().frames(Close.class).isEmpty(); ) {
        int length = Math.min(Tunnel.MAX_BODY_BYTES, longer.length - from);
        ann.part(3, Arrays.copyOfRange(longer, from, from + length));
        from += length;
      }
      ann.expectClose(3, CloseCause.BAD_REQUEST);
    } finally {
      UnicastRemoteObject.unexportObject(held, true);
    }
  }
}
