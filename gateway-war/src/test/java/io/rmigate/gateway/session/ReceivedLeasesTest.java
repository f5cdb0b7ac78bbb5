package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.lease.LeaseView;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.Entry;
import io.rmigate.protocol.jrmp.DgcCall;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Leased;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** T30: with received-objects nobody takes leases of what the session was not given. */
class ReceivedLeasesTest {
  private static final int VOID_RETURN = 22;
  private static final int GUESSED = 100;
  private static final Principal BOB = new Principal("bob", Principal.Scheme.BASIC);

  @RegisterExtension final SessionBed bed = new SessionBed();

  private final Random random = new Random(30);
  private LedgerServer server;
  private EndpointId endpoint;

  @BeforeEach
  void permit() throws Exception {
    server = bed.ledger();
    String host = server.ledgerReference().host();
    endpoint = new EndpointId(host, server.ledgerReference().port());
    bed.policy(
        new TargetGrant(
            Set.of("*"),
            List.of("127.0.0.1:*", host + ":*"),
            SessionBed.READING,
            Entry.enforced().classes(Ledger.class.getName()).receivedObjects(true).rules()));
  }

  private static TestAgent greeted(TestAgent agent, Feature... features) {
    agent.hello(features);
    return agent;
  }

  private ObjIdentifier guessed() {
    return new ObjIdentifier(
        random.nextLong(), random.nextInt(), random.nextLong(), (short) random.nextInt());
  }

  private void lookUp(TestAgent agent) {
    agent.open(1, server.port());
    agent.request(1, Calls.lookup("ledger"));
    TestAgent.awaitThat(() -> agent.port().dataBytes(1) > VOID_RETURN);
  }

  private int held() {
    return bed.leases().views().stream()
        .flatMap(view -> view.endpoints().stream())
        .mapToInt(LeaseView.Row::held)
        .sum();
  }

  @Test
  void framesTakeLeasesOfWhatTheSessionWasGivenAndOfNothingElse() throws IOException {
    TestAgent bob = greeted(bed.stranger(BOB), Feature.LEASES);
    List<ObjIdentifier> ids =
        Stream.concat(Stream.of(server.object()), Stream.generate(this::guessed).limit(GUESSED))
            .toList();

    bob.say(new Dirty(1, endpoint, ids));

    TestAgent.awaitThat(() -> !bob.port().frames(Leased.class).isEmpty());
    assertThat(bob.port().frames(Leased.class).get(0).outcome()).isEqualTo(Leased.Outcome.REFUSED);
    assertThat(bed.leases().views()).isEmpty();
    assertThat(server.accepted()).isZero();

    TestAgent ann = greeted(bed.stranger(), Feature.LEASES);
    lookUp(ann);
    ann.say(new Dirty(0, endpoint, ids));
    TestAgent.awaitThat(() -> held() == 1);
    server.dropConnections();
  }

  @Test
  void callsOfTheCollectorDoSoToo() {
    TestAgent ann = greeted(bed.stranger());
    lookUp(ann);
    int accepted = server.accepted();
    TestAgent bob = greeted(bed.stranger(BOB));
    bob.open(1, endpoint.host(), endpoint.port());

    bob.request(1, dirty(guessed()));
    bob.request(1, dirty(server.object()));

    bob.expectRefused(1, 2, RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(bob.session().collectorCalls().objects()).isZero();
    assertThat(server.accepted()).isEqualTo(accepted);
    long before = ann.port().dataBytes(1);
    ann.request(1, dirty(server.object()));
    TestAgent.awaitThat(() -> ann.port().dataBytes(1) > before);
    assertThat(ann.session().collectorCalls().objects()).isOne();
  }

  /** A JVM names what it once was refused in each later call, and would lose everything. */
  @Test
  void ofSeveralObjectsThoseThatWereGivenAreLeased() {
    TestAgent ann = greeted(bed.stranger());
    lookUp(ann);
    long before = ann.port().dataBytes(1);

    ann.request(1, dirty(guessed(), server.object(), guessed()));

    TestAgent.awaitThat(() -> ann.port().dataBytes(1) > before);
    assertThat(ann.session().collectorCalls().objects()).isOne();
  }

  private static byte[] dirty(ObjIdentifier... objects) {
    VmIdentifier jvm = new VmIdentifier(objects[0].objNum(), 2, 3, (short) 4);
    return new DgcCall.Dirty(List.of(objects), 1, Optional.of(jvm), 60_000).encode();
  }
}
