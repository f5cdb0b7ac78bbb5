package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.lease.LeaseSettings;
import io.rmigate.gateway.lease.LeaseView;
import io.rmigate.gateway.limit.WorkLimiter;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.ClassSettings;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.policy.rule.LearningLog;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.testing.ClassJar;
import io.rmigate.protocol.coding.CodedWriter;
import io.rmigate.protocol.coding.ContentCoding;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.Ack;
import io.rmigate.protocol.tunnel.Clean;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Credit;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameOutput;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.HeartbeatAck;
import io.rmigate.protocol.tunnel.SessionToken;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.server.UnicastRemoteObject;
import java.rmi.server.Unreferenced;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Floods of one kind by a client with a login: they cost the others nothing. How much is for the
 * properties {@code rmigate.floods.dirties} and {@code rmigate.floods.ids} to say; see
 * docs/development/floods.md.
 */
class FloodsTest {
  private static final int DIRTIES = Integer.getInteger("rmigate.floods.dirties", 50_000);
  private static final int IDS = Integer.getInteger("rmigate.floods.ids", 1_000);
  private static final int GUESSES = 1_000;
  private static final int IN_ONE_FRAME = 100;
  private static final int MAX_HELD = 100;
  private static final long MOST_GROWTH = 20 << 20;
  private static final int VOID_RETURN = 22;
  private static final Principal BOB = new Principal("bob", Principal.Scheme.BASIC);

  @RegisterExtension final SessionBed bed = new SessionBed();
  @TempDir Path directory;
  private final Random random = new Random(7);

  /** Counts how often its server is told that it is unreferenced. */
  private static final class Exported implements Remote, Unreferenced {
    final AtomicInteger unreferenced = new AtomicInteger();

    @Override
    public void unreferenced() {
      unreferenced.incrementAndGet();
    }
  }

  private ObjIdentifier anyObject() {
    return new ObjIdentifier(
        random.nextLong(), random.nextInt(), random.nextLong(), (short) random.nextInt());
  }

  private List<ObjIdentifier> anyObjects() {
    List<ObjIdentifier> objects = new ArrayList<>();
    for (int i = 0; i < IN_ONE_FRAME; i++) {
      objects.add(anyObject());
    }
    return objects;
  }

  private int held() {
    return bed.leases().views().stream()
        .flatMap(view -> view.endpoints().stream())
        .mapToInt(LeaseView.Row::held)
        .sum();
  }

  private static long heapInUse() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  @Test
  void aFloodOfLeasesReachesNobodyWhoIsNotPermittedAndEndsNobodyElses() throws Exception {
    bed.leaseSettings(
        new LeaseSettings(true, Duration.ofHours(1), MAX_HELD, 10, Duration.ofSeconds(20)));
    Exported object = new Exported();
    Remote stub = UnicastRemoteObject.exportObject(object, 0);
    try (ServerSocketChannel forbidden =
        ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.2", 0))) {
      forbidden.configureBlocking(false);
      EndpointId elsewhere = new EndpointId("127.0.0.2", forbidden.socket().getLocalPort());
      EndpointId endpoint = new EndpointId("127.0.0.1", Calls.reference(stub).port());
      ObjIdentifier id = Calls.reference(stub).object();
      TestAgent bob = bed.stranger(BOB);
      bob.hello(Feature.LEASES);
      bob.say(new Dirty(0, endpoint, List.of(id)));
      TestAgent.awaitThat(() -> held() == 1);
      TestAgent ann = bed.stranger();
      ann.hello(Feature.LEASES);
      long before = heapInUse();

      for (int sent = 0; sent < DIRTIES; sent += 2 * IN_ONE_FRAME) {
        ann.say(new Dirty(0, elsewhere, anyObjects()), new Dirty(0, endpoint, anyObjects()));
        ann.say(new Clean(endpoint, List.of(id)), new Clean(elsewhere, anyObjects()));
      }

      TestAgent.awaitThat(() -> held() == MAX_HELD + 1);
      assertThat(forbidden.accept()).isNull();
      assertThat(bed.refused("lease-target")).isEqualTo(DIRTIES / IN_ONE_FRAME / 2);
      assertThat(bed.refused("lease-limit")).isEqualTo(DIRTIES / IN_ONE_FRAME / 2 - 1);
      assertThat(object.unreferenced).hasValue(0);
      TestAgent.awaitThat(() -> heapInUse() - before < MOST_GROWTH);
    } finally {
      UnicastRemoteObject.unexportObject(object, true);
    }
  }

  @Test
  void noGuessedMethodReachesTheServerAndTwentyGuessesEndTheSessionsCalls() throws Exception {
    LedgerServer server = bed.ledger();
    ClassSettings settings =
        new ClassSettings(
            ClassMode.ENFORCE,
            List.of(),
            List.of(),
            Optional.of(ClassJar.in(directory, Ledger.class)),
            ClassSettings.CALL_LIMIT);
    bed.policy(
        Rulebook.of(settings, LearningLog.NOTHING),
        new TargetGrant(Set.of("*"), List.of("127.0.0.1:*"), SessionBed.ALL, Entry.ANY_OBJECT));
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.call(1, server.tick(), VOID_RETURN);

    for (int i = 0; i < GUESSES; i++) {
      agent.request(1, Calls.method(server.object(), "guess" + i + "()V", out -> {}));
    }

    TestAgent.awaitThat(() -> agent.refusals(1).size() == GUESSES);
    assertThat(bed.refused("locked-out")).isEqualTo(GUESSES - 20);
    assertThat(server.accepted()).isOne();
    TestAgent other = bed.stranger(BOB);
    other.hello();
    other.awaitWelcome();
    other.open(1, server.port());
    other.call(1, server.tick(), VOID_RETURN);
  }

  private static SessionSettings withChores(int perSecond) {
    SessionSettings usual = SessionSettings.DEFAULTS;
    return new SessionSettings(
        usual.heartbeat(),
        usual.helloTimeout(),
        new SessionSettings.Limits(
            usual.limits().streamCredit(),
            usual.limits().maxStreams(),
            usual.limits().maxSessionsPerPrincipal(),
            usual.limits().maxSessions()),
        usual.sendTimeout(),
        usual.grace(),
        perSecond);
  }

  @Test
  void aLinkThatAsksForTooMuchRestsInEachSessionOfItsPrincipalAndNobodyElses() {
    bed.settings(withChores(1));
    EndpointId nowhere = new EndpointId("127.0.0.2", 9);
    TestAgent ann = bed.stranger();
    ann.hello(Feature.LEASES);
    assertThat(ann.port().rests()).isEmpty();

    ann.say(new Dirty(0, nowhere, anyObjects()));

    long longest = SessionSettings.DEFAULTS.heartbeat().toNanos();
    assertThat(ann.port().rests()).containsExactly(longest);
    TestAgent again = bed.stranger();
    again.hello(Feature.LEASES);
    assertThat(again.port().rests()).containsExactly(longest);
    TestAgent bob = bed.stranger(BOB);
    bob.hello(Feature.LEASES);
    assertThat(bob.port().rests()).isEmpty();
  }

  @Test
  void callsThatAreRefusedMakeALinkRestAndCallsThatPassDoNot() throws Exception {
    bed.settings(withChores(5 * WorkLimiter.REFUSED_CALL));
    LedgerServer server = bed.ledger();
    TestAgent ann = bed.agent();
    ann.open(1, server.port());
    for (int i = 0; i < 1_000; i++) {
      ann.call(1, server.tick(), VOID_RETURN);
    }
    assertThat(ann.port().rests()).isEmpty();

    ann.open(3, "127.0.0.2", 9);
    for (int i = 0; i < IDS; i++) {
      ann.request(3, Calls.method(anyObject(), "tick()V", out -> {}));
    }

    TestAgent.awaitThat(() -> ann.refusals(3).size() == IDS);
    assertThat(ann.port().rests()).hasSizeGreaterThan(IDS / 2);
  }

  /** As many as ask for three times what may come at once, in one piece. */
  private static Frame[] flood(Frame frame) {
    Frame[] many = new Frame[300 * WorkLimiter.SLIGHT_FRAMES];
    Arrays.fill(many, frame);
    return many;
  }

  @Test
  void framesThatAskForNothingMakeALinkRestWhenTheyAreAFlood() throws Exception {
    bed.settings(withChores(100));
    LedgerServer server = bed.ledger();
    TestAgent ann = bed.stranger();
    ann.helloToStay();
    ann.open(1, server.port());
    ann.call(1, server.tick(), VOID_RETURN);
    assertThat(ann.port().rests()).isEmpty();

    ann.say(flood(new Ack(0)));
    assertThat(ann.port().rests()).hasSize(1);
    ann.say(flood(new Credit(1, 1_000)));
    assertThat(ann.port().rests()).hasSize(2);
    ann.say(flood(new Data(1, false, new byte[0])));
    assertThat(ann.port().rests()).hasSize(3);
  }

  @Test
  void whatComesCodedIsCountedAsIfItHadComePlain() {
    bed.settings(withChores(100));
    try (CodedWriter coder = new CodedWriter(ContentCoding.DEFLATE_1)) {
      coder.turn(true);
      TestAgent ann = bed.stranger();
      ann.helloCoding(ContentCoding.DEFLATE_1.name());
      FrameOutput flood = new FrameOutput(1024);
      for (Frame frame : flood(new HeartbeatAck(0))) {
        flood.append(frame);
      }
      FrameOutput sent = coder.code(flood, 0);
      assertThat(sent.size()).isLessThan(flood.size() / 10);

      ann.sayBytes(sent.toByteArray());
      assertThat(ann.port().rests()).hasSize(1);
    }
  }

  @Test
  void contextsOfCodedFramesThatAreBegunAndBegunAgainMakeALinkRest() {
    bed.settings(withChores(100));
    try (CodedWriter coder = new CodedWriter(ContentCoding.DEFLATE_1)) {
      coder.turn(true);
      TestAgent ann = bed.stranger();
      ann.helloCoding(ContentCoding.DEFLATE_1.name());
      FrameOutput batch = new FrameOutput(64);
      for (int i = 0; i < WorkLimiter.SLIGHT_FRAMES; i++) {
        batch.append(new HeartbeatAck(0));
      }
      byte[] fresh = coder.code(batch, 0).toByteArray();
      ByteArrayOutputStream again = new ByteArrayOutputStream();
      for (int i = 0; i < 600; i++) {
        again.writeBytes(fresh);
      }

      ann.sayBytes(again.toByteArray());
      assertThat(ann.port().rests()).hasSize(1);
      assertThat(ann.port().rests().get(0)).isGreaterThan(Duration.ofSeconds(4).toNanos());
    }
  }

  @Test
  void noGuessedTokenLeadsToASession() {
    TestAgent ann = bed.stranger();
    ann.helloToStay();
    SessionToken token = ann.welcome().session();
    ann.session().onTransportClosed();

    for (int i = 0; i < IDS; i++) {
      byte[] guess = new byte[SessionToken.BYTES];
      random.nextBytes(guess);
      TestAgent bob = new TestAgent(bed.registry(), RecordingLinkPort.Sends.INLINE, BOB);
      bob.resume(i == 0 ? token : SessionToken.of(guess), 0);
      assertThat(bob.port().frames(Goodbye.class))
          .extracting(Goodbye::cause)
          .containsExactly(CloseCause.UNKNOWN_SESSION);
    }

    TestAgent again = bed.stranger();
    again.resume(token, ann.port().received());
    assertThat(again.welcome().received()).isEqualTo(ann.said());
  }

  @Test
  void noObjectOfAnotherSessionIsCalledNorAnyGuessed() throws Exception {
    LedgerServer server = bed.ledger();
    bed.policy(
        new TargetGrant(
            Set.of("*"),
            List.of("127.0.0.1:*"),
            SessionBed.READING,
            Entry.enforced().classes(Ledger.class.getName()).withoutSayingWhichObjects().rules()));
    TestAgent ann = bed.agent();
    ann.open(1, server.port());
    ann.request(1, Calls.lookup("ledger"));
    TestAgent.awaitThat(() -> ann.port().dataBytes(1) > VOID_RETURN);
    int accepted = server.accepted();
    TestAgent bob = bed.stranger(BOB);
    bob.hello();
    bob.awaitWelcome();
    bob.open(1, server.port());

    for (int i = 0; i < IDS; i++) {
      ObjIdentifier object = i == 0 ? server.object() : anyObject();
      bob.request(1, Calls.method(object, "tick()V", out -> {}));
    }

    TestAgent.awaitThat(() -> bob.refusals(1).size() == IDS);
    assertThat(server.ticks()).isZero();
    assertThat(server.accepted()).isEqualTo(accepted);
    ann.open(3, server.port());
    ann.call(3, server.tick(), VOID_RETURN);
  }

  @Test
  void aStreamOfAnotherSessionIsNone() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent ann = bed.agent();
    ann.open(1, server.port());
    ann.call(1, server.tick(), VOID_RETURN);

    for (int i = 0; i < IDS; i++) {
      TestAgent bob = new TestAgent(bed.registry(), RecordingLinkPort.Sends.INLINE, BOB);
      bob.hello();
      bob.awaitWelcome();
      bob.say(new Data(i == 0 ? 1 : 1 + random.nextInt(1 << 20), true, server.tick()));
      assertThat(bob.awaitGoodbye().cause()).isEqualTo(CloseCause.PROTOCOL_VIOLATION);
    }

    assertThat(server.ticks()).isEqualTo(1);
    ann.call(1, server.tick(), VOID_RETURN);
  }
}
