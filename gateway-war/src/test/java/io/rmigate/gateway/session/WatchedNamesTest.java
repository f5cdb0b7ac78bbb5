package io.rmigate.gateway.session;

import static io.rmigate.gateway.session.TestAgent.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.lease.LeaseSettings;
import io.rmigate.gateway.lease.LeaseView;
import io.rmigate.gateway.limit.CallLimits;
import io.rmigate.gateway.limit.Caller;
import io.rmigate.gateway.limit.LockoutSettings;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.lookup.LookupSettings;
import io.rmigate.gateway.lookup.WatchedView;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.route.EndpointMapping;
import io.rmigate.gateway.route.Restraints;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.gateway.stream.RefusalTexts;
import io.rmigate.protocol.NamePatterns;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.jrmp.message.LiveReferenceScan;
import io.rmigate.protocol.tunnel.Bound;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Forgot;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.Lookup;
import io.rmigate.protocol.tunnel.RegistryName;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Unbound;
import io.rmigate.protocol.tunnel.UnboundReason;
import io.rmigate.protocol.tunnel.Welcome;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.rmi.server.Unreferenced;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Names that agents hold, at a registry of the running JDK. */
class WatchedNamesTest {
  private static final LookupSettings QUICK =
      new LookupSettings(true, NamePatterns.of(List.of("tmp*")), Duration.ofMillis(300), List.of());
  private static final LookupSettings SLOW =
      new LookupSettings(true, NamePatterns.NONE, Duration.ofHours(1), List.of());

  @RegisterExtension final SessionBed bed = new SessionBed();

  /** Counts how often the server is told that it is unreferenced. */
  private static final class Exported implements Remote, Unreferenced {
    final AtomicInteger unreferenced = new AtomicInteger();

    @Override
    public void unreferenced() {
      unreferenced.incrementAndGet();
    }
  }

  private static final Principal BOB = new Principal("bob", Principal.Scheme.BASIC);

  private final Exported one = new Exported();
  private final Exported two = new Exported();

  /** What only a rule makes known to clients. */
  private interface Secret extends Remote {}

  private static final class Kept implements Secret {}

  private final Remote secret = new Kept();
  private Remote stubOfSecret;
  private Registry registry;
  private Remote stubOfTwo;
  private int port;

  @BeforeEach
  void startRegistry() throws Exception {
    registry = LocateRegistry.createRegistry(0);
    Remote stubOfOne = UnicastRemoteObject.exportObject(one, 0);
    stubOfTwo = UnicastRemoteObject.exportObject(two, 0);
    stubOfSecret = UnicastRemoteObject.exportObject(secret, 0);
    registry.rebind("Hello", stubOfOne);
    port = Calls.reference(registry).port();
    bed.policy(new TargetGrant(Set.of("*"), List.of("127.0.0.1:" + port), SessionBed.ALL));
  }

  @AfterEach
  void stopRegistry() throws Exception {
    bed.registry().close();
    for (Remote exported : List.of(one, two, secret, registry)) {
      UnicastRemoteObject.unexportObject(exported, true);
    }
  }

  @Test
  void aLookupBringsTheReturnOfTheRegistryAndTeachesItsEndpoint() throws Exception {
    bed.lookups(SLOW);
    TestAgent agent = agent();
    Bound bound = lookUp(agent, 1, "Hello", 0);
    LiveReference reference =
        LiveReferenceScan.scan(bound.message(), 0, bound.message().length).get(0);
    assertThat(reference.object()).isEqualTo(Calls.reference(one()).object());
    agent.open(1, reference.host(), reference.port());
    agent.request(1, Calls.method(reference.object(), "v()V", out -> {}));
    awaitThat(() -> agent.port().dataBytes(1) > 0 || !agent.refusals(1).isEmpty());
    assertThat(agent.refusals(1)).isEmpty();
  }

  @Test
  void aSecondSessionIsAnsweredFromWhatIsKnown() throws Exception {
    bed.lookups(SLOW);
    Bound first = lookUp(agent(), 1, "Hello", 0);
    registry.unbind("Hello"); // inside: not seen before the next poll
    assertThat(lookUp(agent(), 1, "Hello", 0).message()).isEqualTo(first.message());
  }

  @Test
  void aFreshLookupAsksTheRegistry() throws Exception {
    bed.lookups(SLOW);
    TestAgent agent = agent();
    lookUp(agent, 1, "Hello", 0);
    registry.unbind("Hello");
    agent.say(new Lookup(2, true, name("Hello")));
    assertThat(awaitUnbound(agent, 0).reason()).isEqualTo(UnboundReason.NOT_BOUND);
  }

  @Test
  void aRebindInsideIsPushedToAllHolders() throws Exception {
    bed.lookups(QUICK);
    TestAgent first = agent();
    TestAgent second = agent();
    lookUp(first, 1, "Hello", 0);
    lookUp(second, 1, "Hello", 0);
    registry.rebind("Hello", stubOfTwo);
    for (TestAgent agent : List.of(first, second)) {
      Bound pushed = awaitBound(agent, 1);
      assertThat(pushed.number()).isZero();
      assertThat(pushed.pushed()).contains(name("Hello"));
      assertThat(
              LiveReferenceScan.scan(pushed.message(), 0, pushed.message().length).get(0).object())
          .isEqualTo(Calls.reference(stubOfTwo).object());
    }
  }

  @Test
  void aVanishedNameIsPushedAndNotWatchedAnyMore() throws Exception {
    bed.lookups(QUICK);
    TestAgent agent = agent();
    lookUp(agent, 1, "Hello", 0);
    registry.unbind("Hello");
    Unbound gone = awaitUnbound(agent, 0);
    assertThat(gone.number()).isZero();
    assertThat(gone.reason()).isEqualTo(UnboundReason.GONE);
  }

  @Test
  void anUnboundNameBringsTheRegistrysException() throws Exception {
    bed.lookups(SLOW);
    TestAgent agent = agent();
    agent.say(new Lookup(1, false, name("Unbound")));
    Unbound answer = awaitUnbound(agent, 0);
    assertThat(answer.reason()).isEqualTo(UnboundReason.NOT_BOUND);
    assertThat(new String(answer.message(), java.nio.charset.StandardCharsets.ISO_8859_1))
        .contains("java.rmi.NotBoundException");
  }

  @Test
  void whatIsNotBoundIsAskedForEveryTime() throws Exception {
    bed.lookups(SLOW);
    TestAgent agent = agent();
    agent.say(new Lookup(1, false, name("Unbound")));
    assertThat(awaitUnbound(agent, 0).reason()).isEqualTo(UnboundReason.NOT_BOUND);
    assertThat(bed.registry().watchedNames()).isEmpty();
    registry.rebind("Unbound", stubOfTwo);
    assertThat(objectOf(lookUp(agent, 2, "Unbound", 0)))
        .isEqualTo(Calls.reference(stubOfTwo).object());
  }

  @Test
  void manyHoldersCostOneLookup() throws Exception {
    bed.lookups(SLOW);
    List<TestAgent> holders = IntStream.range(0, 8).mapToObj(i -> agent()).toList();
    for (TestAgent holder : holders) {
      lookUp(holder, 1, "Hello", 0);
    }
    assertThat(bed.registriesAsked()).isEqualTo(1);
    assertThat(bed.registry().watchedNames())
        .singleElement()
        .satisfies(watched -> assertThat(watched.holders()).isEqualTo(8));
    TestAgent binder = agent();
    binder.open(1, port);
    binder.request(1, Calls.rebind("Hello", stubOfTwo));
    for (TestAgent holder : holders) {
      assertThat(objectOf(awaitBound(holder, 1))).isEqualTo(Calls.reference(stubOfTwo).object());
    }
    // One when the rebind was sent, and one when it had returned.
    assertThat(bed.registriesAsked()).isBetween(2, 3);
  }

  @Test
  void manyHoldersCostOnePollInEveryInterval() throws Exception {
    bed.lookups(QUICK);
    List<TestAgent> holders = IntStream.range(0, 8).mapToObj(i -> agent()).toList();
    for (TestAgent holder : holders) {
      lookUp(holder, 1, "Hello", 0);
    }
    long began = System.nanoTime();
    int before = bed.registriesAsked();
    awaitThat(() -> bed.registriesAsked() >= before + 3);
    int asked = bed.registriesAsked() - before; // first, or it grows while the clock is read
    long elapsedMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    assertThat((long) asked).isLessThanOrEqualTo(elapsedMillis / QUICK.poll().toMillis() + 2);
    assertThat(holders).allMatch(holder -> bounds(holder).size() == 1); // nothing has changed
  }

  @Test
  void whatIsKnownIsToldOnlyToWhomItIsPermitted() throws Exception {
    bed.lookups(SLOW);
    permit(SessionBed.ANN, BOB);
    lookUp(agent(), 1, "Hello", 0);
    permit(SessionBed.ANN);
    TestAgent bob = greeted(bed.stranger(BOB), name("Hello").toString());
    assertThat(bob.port().frames(Welcome.class).get(0).properties())
        .containsEntry(Welcome.PRELOADED, "0");
    bob.say(new Lookup(1, false, name("Hello")));
    assertThat(awaitUnbound(bob, 0).reason()).isEqualTo(UnboundReason.TARGET_NOT_PERMITTED);
    assertThat(bounds(bob)).isEmpty();
  }

  /** Whom only a pattern permits the host does not get to loopback by its name. */
  @Test
  void whatIsKnownFromOneAddressIsNoAnswerForWhomItIsNotPermitted() throws Exception {
    bed.lookups(SLOW);
    bed.policy(
        new TargetGrant(Set.of("ann"), List.of("127.0.0.1:" + port), SessionBed.ALL),
        new TargetGrant(Set.of("bob"), List.of("127.*:" + port), SessionBed.ALL));
    lookUp(agent(), 1, "Hello", 0);
    TestAgent bob = greeted(bed.stranger(BOB), name("Hello").toString());
    bob.say(new Lookup(1, false, name("Hello")));
    assertThat(awaitUnbound(bob, 0).reason().refusal()).isPresent();
    assertThat(bounds(bob)).isEmpty();
  }

  @Test
  void whatPolicyPermitsNoLongerIsVoided() throws Exception {
    bed.lookups(SLOW);
    permit(SessionBed.ANN, BOB);
    TestAgent ann = agent();
    TestAgent bob = greeted(bed.stranger(BOB), "");
    lookUp(ann, 1, "Hello", 0);
    lookUp(bob, 1, "Hello", 0);
    permit(SessionBed.ANN);
    Unbound gone = awaitUnbound(bob, 0);
    assertThat(gone.pushed()).contains(name("Hello"));
    assertThat(gone.reason()).isEqualTo(UnboundReason.GONE);
    assertThat(ann.port().frames(Unbound.class)).isEmpty();
  }

  private void enforce(String... classes) {
    bed.policy(
        new TargetGrant(
            Set.of("*"),
            List.of("127.0.0.1:" + port),
            SessionBed.ALL,
            Entry.enforced().classes(classes).rules()));
  }

  @Test
  void whatMayNotPassIsToldNeitherToWhoAsksNorToWhoWillAsk() throws Exception {
    bed.lookups(SLOW);
    enforce();
    registry.rebind("Secret", stubOfSecret);
    TestAgent agent = agent(name("Secret").toString());
    agent.say(new Lookup(1, false, name("Secret")));
    Unbound refused = awaitUnbound(agent, 0);
    assertThat(refused.number()).isEqualTo(1);
    assertThat(refused.reason()).isEqualTo(UnboundReason.OPERATION_NOT_PERMITTED);
    assertThat(refused.text()).doesNotContain("Secret");
    assertThat(bounds(agent)).isEmpty();
    assertThat(bed.refused("reply-class")).isPositive();
    enforce(Secret.class.getName());
    lookUp(agent, 2, "Secret", 0);
  }

  /**
   * T10. Of a stub whose interface comes from a URLClassLoader; where nothing is enforced it has
   * one.
   */
  @Test
  void aBindingIsToldWithoutTheCodebaseOfItsStub() throws Exception {
    bed.lookups(SLOW);
    URL classes = getClass().getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader())) {
      Class<?>[] types = {loader.loadClass(Secret.class.getName())};
      InvocationHandler reference = Proxy.getInvocationHandler(stubOfSecret);
      registry.rebind("Secret", (Remote) Proxy.newProxyInstance(loader, types, reference));
      assertThat(text(lookUp(agent(), 1, "Secret", 0))).contains(classes.toString());
      enforce(Secret.class.getName());
      Bound told = lookUp(agent(), 1, "Secret", 0);
      assertThat(text(told)).contains(Secret.class.getName()).doesNotContain("file:");
      assertThat(objectOf(told)).isEqualTo(Calls.reference(stubOfSecret).object());
    }
  }

  private static String text(Bound bound) {
    return new String(bound.message(), StandardCharsets.ISO_8859_1);
  }

  @Test
  void aChangeThatMayNotPassIsPushedAsTheEndOfTheName() throws Exception {
    bed.lookups(QUICK);
    enforce();
    TestAgent agent = agent();
    lookUp(agent, 1, "Hello", 0);
    registry.rebind("Hello", stubOfSecret);
    assertThat(awaitUnbound(agent, 0).reason()).isEqualTo(UnboundReason.GONE);
    assertThat(bounds(agent)).hasSize(1);
  }

  @Test
  void whatMayPassNoLongerIsVoided() throws Exception {
    bed.lookups(SLOW);
    enforce(Secret.class.getName());
    registry.rebind("Secret", stubOfSecret);
    TestAgent agent = agent();
    lookUp(agent, 1, "Hello", 0);
    lookUp(agent, 2, "Secret", 1);
    enforce();
    assertThat(awaitUnbound(agent, 0).pushed()).contains(name("Secret"));
    assertThat(agent.port().frames(Unbound.class)).hasSize(1);
  }

  @Test
  void theTableShowsWhatIsWatched() throws Exception {
    bed.lookups(SLOW);
    TestAgent agent = agent();
    Bound bound = lookUp(agent, 1, "Hello", 0);
    WatchedView row = bed.registry().watchedNames().get(0);
    assertThat(row.registry()).isEqualTo("127.0.0.1:" + port);
    assertThat(row.name()).isEqualTo("Hello");
    assertThat(row.bound()).hasSize(1);
    assertThat(row.ageMillis()).isNotNegative();
    assertThat(row.holders()).isEqualTo(1);
    assertThat(row.kept()).isFalse();
    agent.say(new Forgot(bound.binding()));
    assertThat(bed.registry().watchedNames()).isEmpty();
  }

  @Test
  void whatPolicyDoesNotPermitIsRefused() throws Exception {
    bed.lookups(SLOW);
    TestAgent agent = agent();
    agent.say(new Lookup(1, false, new RegistryName(new EndpointId("127.0.0.1", 1), "Hello")));
    assertThat(awaitUnbound(agent, 0).reason()).isEqualTo(UnboundReason.TARGET_NOT_PERMITTED);
    bed.policy(new TargetGrant(Set.of("*"), List.of("127.0.0.1:" + port), Set.of()));
    agent.say(new Lookup(2, false, name("Hello")));
    assertThat(awaitUnbound(agent, 1).reason()).isEqualTo(UnboundReason.OPERATION_NOT_PERMITTED);
  }

  @Test
  void excludedNamesAreLeftToTheRegistry() throws Exception {
    bed.lookups(QUICK);
    TestAgent agent = agent();
    agent.say(new Lookup(1, false, name("tmpHello")));
    assertThat(awaitUnbound(agent, 0).reason()).isEqualTo(UnboundReason.NOT_CACHEABLE);
  }

  @Test
  void aRebindThroughTheTunnelIsSeenByTheNextLookup() throws Exception {
    bed.lookups(SLOW);
    TestAgent agent = agent();
    lookUp(agent, 1, "Hello", 0);
    agent.open(1, port);
    agent.request(1, Calls.rebind("Hello", stubOfTwo));
    awaitThat(() -> agent.port().dataBytes(1) > 0);
    agent.say(new Lookup(2, false, name("Hello")));
    awaitThat(() -> bounds(agent).stream().anyMatch(bound -> bound.number() == 2));
    Bound answer =
        bounds(agent).stream().filter(bound -> bound.number() == 2).findFirst().orElseThrow();
    assertThat(LiveReferenceScan.scan(answer.message(), 0, answer.message().length).get(0).object())
        .isEqualTo(Calls.reference(stubOfTwo).object());
  }

  @Test
  void theGatewaysOwnLeaseEndsWithTheEntry() throws Exception {
    bed.lookups(SLOW);
    TestAgent agent = agent();
    Bound bound = lookUp(agent, 1, "Hello", 0);
    awaitLeases(1);
    assertThat(one.unreferenced).hasValue(0);
    agent.say(new Forgot(bound.binding()));
    awaitThat(() -> one.unreferenced.get() == 1);
    awaitThat(() -> bed.leases().views().isEmpty());
  }

  @Test
  void theGatewaysOwnLeaseEndsWithTheSession() throws Exception {
    bed.lookups(SLOW);
    TestAgent agent = agent();
    lookUp(agent, 1, "Hello", 0);
    awaitLeases(1);
    agent.session().end(CloseCause.LINK_LOST, "");
    awaitThat(() -> one.unreferenced.get() == 1);
    assertThat(bed.registry().watchedNames()).isEmpty();
  }

  @Test
  void theLeaseOnWhatWasReplacedEndsWhenItsHoldersHaveForgottenIt() throws Exception {
    bed.lookups(QUICK);
    TestAgent first = agent();
    TestAgent second = agent();
    Bound told = lookUp(first, 1, "Hello", 0);
    Bound toldToo = lookUp(second, 1, "Hello", 0);
    registry.rebind("Hello", stubOfTwo);
    awaitBound(first, 1);
    awaitBound(second, 1);
    awaitLeases(2);
    first.say(new Forgot(told.binding()));
    assertThat(one.unreferenced).hasValue(0);
    second.say(new Forgot(toldToo.binding()));
    awaitThat(() -> one.unreferenced.get() == 1);
    awaitLeases(1);
    assertThat(two.unreferenced).hasValue(0);
  }

  @Test
  void whatTheGatewayCannotHoldTheAgentMayNotEither() throws Exception {
    bed.leaseSettings(new LeaseSettings(true, Duration.ofHours(1), 1, 10, Duration.ofSeconds(20)));
    bed.lookups(SLOW);
    registry.rebind("Other", stubOfTwo);
    TestAgent agent = agent();
    lookUp(agent, 1, "Hello", 0);
    awaitLeases(1);
    agent.say(new Lookup(2, false, name("Other")));
    assertThat(awaitUnbound(agent, 0).reason()).isEqualTo(UnboundReason.NOT_CACHEABLE);
    assertThat(bed.registry().watchedNames()).extracting(WatchedView::name).containsOnly("Hello");
  }

  @Test
  void configuredNamesAreWatchedFromTheStartAndComeWithTheWelcome() throws Exception {
    bed.lookups(preloading(Set.of("*")));
    bed.registry();
    awaitThat(() -> !bed.leases().views().isEmpty()); // looked up, though no session holds it
    TestAgent agent = agent();
    assertThat(agent.port().frames(Welcome.class).get(0).properties())
        .containsEntry(Welcome.PRELOADED, "1");
    assertThat(agent.port().frames().get(1)).isInstanceOf(Bound.class);
    assertThat(bounds(agent).get(0).pushed()).contains(name("Hello"));
  }

  @Test
  void whatTheAgentIsGoingToLookUpIsSentAsSoonAsItIsKnown() throws Exception {
    bed.lookups(SLOW);
    TestAgent agent = agent(name("Hello") + "|" + name("Unbound") + "|nonsense");
    assertThat(agent.port().frames(Welcome.class).get(0).properties())
        .containsEntry(Welcome.PRELOADED, "0");
    assertThat(awaitBound(agent, 0).pushed()).contains(name("Hello"));
    assertThat(agent.port().frames(Unbound.class)).isEmpty();
  }

  @Test
  void namesThatAnAgentSaysItIsGoingToLookUpCountAsLookups() throws Exception {
    bed.lookups(SLOW);
    registry.rebind("Other", stubOfTwo);
    AtomicLong clock = new AtomicLong();
    OptionalInt any = OptionalInt.empty();
    bed.policy(
        new TargetPolicy(
            List.of(new TargetGrant(Set.of("*"), List.of("127.0.0.1:" + port), SessionBed.ALL)),
            List.of(),
            EndpointMapping.DEFAULT,
            Rulebook.OFF,
            new Restraints(
                new CallLimits(OptionalInt.of(1), OptionalInt.of(1), any, any),
                LockoutSettings.DEFAULTS),
            clock::get));
    TestAgent agent = agent(name("Hello") + "|" + name("Other"));
    assertThat(awaitBound(agent, 0).pushed()).contains(name("Hello"));
    agent.say(new Lookup(1, false, name("Other")));
    assertThat(awaitUnbound(agent, 0).text()).contains(RefusalTexts.TOO_MUCH);
    assertThat(bounds(agent)).hasSize(1);
    clock.addAndGet(Duration.ofSeconds(1).toNanos());
    lookUp(agent, 2, "Other", 1);
  }

  @Test
  void whoIsLockedOutIsToldOfNoNames() throws Exception {
    bed.lookups(preloading(Set.of("*")));
    bed.registry();
    awaitThat(() -> !bed.leases().views().isEmpty());
    Caller ann = Caller.of(SessionBed.ANN, "192.0.2.1:1");
    for (int i = 0; i < LockoutSettings.DEFAULTS.after(); i++) {
      bed.registry().policy().lockouts().onRefused(ann, "thing " + i);
    }
    TestAgent agent = agent(name("Other").toString());
    assertThat(agent.port().frames(Welcome.class).get(0).properties())
        .containsEntry(Welcome.PRELOADED, "0");
    assertThat(greeted(bed.stranger(BOB), "").port().frames(Welcome.class).get(0).properties())
        .containsEntry(Welcome.PRELOADED, "1");
    assertThat(bounds(agent)).isEmpty();
    assertThat(bed.registry().watchedNames()).extracting(WatchedView::name).containsOnly("Hello");
  }

  @Test
  void namesOfOthersAreNotPreloaded() throws Exception {
    bed.lookups(preloading(Set.of("bob")));
    bed.registry();
    awaitThat(() -> !bed.leases().views().isEmpty());
    assertThat(agent().port().frames(Welcome.class).get(0).properties())
        .containsEntry(Welcome.PRELOADED, "0");
    assertThat(greeted(bed.stranger(BOB), "").port().frames(Welcome.class).get(0).properties())
        .containsEntry(Welcome.PRELOADED, "1");
  }

  @Test
  void everybodysNamesAreWatchedAsEachMaySeeThem() throws Exception {
    permit(BOB);
    bed.lookups(preloading(Set.of("*")));
    bed.registry();
    awaitThat(() -> !bed.leases().views().isEmpty());
    assertThat(greeted(bed.stranger(BOB), "").port().frames(Welcome.class).get(0).properties())
        .containsEntry(Welcome.PRELOADED, "1");
    assertThat(agent().port().frames(Welcome.class).get(0).properties())
        .containsEntry(Welcome.PRELOADED, "0");
  }

  @Test
  void namesThatAreConfiguredNoLongerAreNotWatchedAnyMore() throws Exception {
    bed.lookups(preloading(Set.of("*")));
    bed.registry();
    awaitLeases(1);
    assertThat(bed.registry().watchedNames()).singleElement().matches(WatchedView::kept);
    bed.lookups(SLOW);
    awaitThat(() -> bed.registry().watchedNames().isEmpty());
    awaitThat(() -> one.unreferenced.get() == 1);
  }

  private LookupSettings preloading(Set<String> principals) {
    return new LookupSettings(
        true,
        NamePatterns.NONE,
        Duration.ofHours(1),
        List.of(new LookupSettings.Preload(principals, List.of(name("Hello")))));
  }

  private void permit(Principal... principals) {
    bed.policy(
        new TargetGrant(
            Arrays.stream(principals).map(Principal::name).collect(Collectors.toSet()),
            List.of("127.0.0.1:" + port),
            SessionBed.ALL));
  }

  private void awaitLeases(int count) {
    awaitThat(
        () ->
            bed.leases().views().stream()
                    .flatMap(view -> view.endpoints().stream())
                    .mapToInt(LeaseView.Row::held)
                    .sum()
                == count);
  }

  private static ObjIdentifier objectOf(Bound bound) {
    return LiveReferenceScan.scan(bound.message(), 0, bound.message().length).get(0).object();
  }

  private Remote one() throws Exception {
    return registry.lookup("Hello");
  }

  private RegistryName name(String name) {
    return new RegistryName(new EndpointId("127.0.0.1", port), name);
  }

  private TestAgent agent() {
    return agent("");
  }

  private TestAgent agent(String preload) {
    return greeted(bed.stranger(), preload);
  }

  private static TestAgent greeted(TestAgent agent, String preload) {
    agent.say(
        new Hello(
            Tunnel.VERSION,
            Tunnel.VERSION,
            Set.of(Feature.LOOKUPS),
            SessionToken.NONE,
            0,
            TestAgent.CREDIT,
            List.of(Welcome.IDENTITY),
            Map.of(Hello.PRELOAD, preload)));
    agent.awaitWelcome();
    assertThat(agent.port().frames(Welcome.class).get(0).features())
        .containsExactly(Feature.LOOKUPS);
    return agent;
  }

  private Bound lookUp(TestAgent agent, long number, String name, int before) {
    agent.say(new Lookup(number, false, name(name)));
    return awaitBound(agent, before);
  }

  private static Bound awaitBound(TestAgent agent, int index) {
    awaitThat(() -> bounds(agent).size() > index);
    return bounds(agent).get(index);
  }

  private static List<Bound> bounds(TestAgent agent) {
    return agent.port().frames(Bound.class);
  }

  private static Unbound awaitUnbound(TestAgent agent, int index) {
    awaitThat(() -> agent.port().frames(Unbound.class).size() > index);
    return agent.port().frames(Unbound.class).get(index);
  }
}
