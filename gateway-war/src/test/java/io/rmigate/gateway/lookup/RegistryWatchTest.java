package io.rmigate.gateway.lookup;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.lease.LeaseMeters;
import io.rmigate.gateway.lease.LeaseSettings;
import io.rmigate.gateway.lease.LeaseView;
import io.rmigate.gateway.lease.Leases;
import io.rmigate.gateway.lease.OwnCallLeaseServers;
import io.rmigate.gateway.lease.TimerLeaseClock;
import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.policy.WholeReply;
import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.ClassSettings;
import io.rmigate.gateway.policy.rule.LearningLog;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.Relay;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.relay.address.AddressRule;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.gateway.relay.own.OwnCallFailure;
import io.rmigate.gateway.relay.own.OwnCallListener;
import io.rmigate.gateway.relay.own.OwnCallSettings;
import io.rmigate.gateway.relay.own.OwnCalls;
import io.rmigate.protocol.NamePatterns;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.jrmp.message.LiveReferenceScan;
import io.rmigate.protocol.jrmp.message.RegistryCall;
import io.rmigate.protocol.tunnel.Bound;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.RegistryName;
import io.rmigate.protocol.tunnel.Unbound;
import io.rmigate.protocol.tunnel.UnboundReason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteObject;
import java.rmi.server.UnicastRemoteObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How old an answer may be: a registry of the running JDK, and a clock that stands still. */
class RegistryWatchTest {
  private static final long POLL = Duration.ofSeconds(10).toNanos();
  private static final long TICK = Duration.ofSeconds(1).toNanos();

  /** One call at a time to one target, and one waits. */
  private static final OwnCallSettings ONE_AT_A_TIME =
      new OwnCallSettings(1, 1, 1 << 20, 1 << 20, PATIENCE);

  private static final LookupSettings SETTINGS =
      new LookupSettings(true, NamePatterns.NONE, Duration.ofNanos(POLL), List.of());

  private static final class Exported implements Remote {}

  /** A session that may see everything, until it is told otherwise. */
  private static final class Holder implements BindingHolder {
    private final Subscriptions names = new Subscriptions(this);
    private final List<Frame> told = new CopyOnWriteArrayList<>();
    private final AtomicInteger judged = new AtomicInteger();
    private final String principal;
    private volatile String view = "all";
    private volatile Runnable whileJudging = () -> {};
    private volatile CallRules rules = rules();
    private final List<WholeReply> ahead = new CopyOnWriteArrayList<>();
    private final AtomicInteger late = new AtomicInteger();
    private final List<WholeReply.Verdict> verdicts = new CopyOnWriteArrayList<>();

    Holder(String principal) {
      this.principal = principal;
    }

    @Override
    public String principal() {
      return principal;
    }

    @Override
    public Object payer() {
      return principal;
    }

    @Override
    public boolean maySee(RegistryName name, Target registry) {
      judged.incrementAndGet();
      return !view.equals("nothing");
    }

    @Override
    public void judge(RegistryName name, Target registry, WholeReply reply) {
      whileJudging.run();
      ahead.add(reply);
      reply.by(rules);
    }

    @Override
    public Optional<String> refusal(RegistryName name, Target registry, WholeReply reply) {
      late.addAndGet(ahead.contains(reply) ? 0 : 1);
      verdicts.add(reply.by(rules));
      return Optional.empty();
    }

    @Override
    public byte[] message(RegistryName name, Target registry, WholeReply reply) {
      return reply.by(rules).message();
    }

    @Override
    public Object view() {
      return view;
    }

    @Override
    public void learn(
        RegistryName name,
        Target registry,
        List<LiveReference> references,
        Map<ObjIdentifier, List<String>> interfaces) {}

    @Override
    public void queue(Frame frame) {
      told.add(frame);
    }

    @Override
    public void flush() {}
  }

  private final Exported one = new Exported();
  private final Exported two = new Exported();
  private final AtomicLong now = new AtomicLong();
  private final AtomicInteger asked = new AtomicInteger();
  private final Holder holder = new Holder("ann");
  private Registry registry;
  private Remote stubOfTwo;
  private Target target;
  private Relay relay;
  private TimerLeaseClock leaseClock;
  private Leases leases;
  private RegistryWatch watch;
  private OwnCalls calls;

  /** No lease is granted on it. */
  private volatile Optional<ObjIdentifier> unreachable = Optional.of(ObjIdentifier.ACTIVATOR);

  /** Null unless a test has asked for it. */
  private ScriptedRmiServer slow;

  /** How many lookups of each of its connections have been answered. */
  private final Map<ScriptedRmiServer.Connection, Integer> said = new HashMap<>();

  @BeforeEach
  void begin() throws Exception {
    registry = LocateRegistry.createRegistry(0);
    registry.rebind("Hello", UnicastRemoteObject.exportObject(one, 0));
    stubOfTwo = UnicastRemoteObject.exportObject(two, 0);
    target =
        new Target(
            "127.0.0.1",
            reference(RemoteObject.toStub(registry)).port(),
            AddressRule.NAMED,
            PATIENCE,
            PATIENCE);
    relay = new Relay(new RelaySettings(PATIENCE, PATIENCE, PATIENCE, 64 * 1024, 1));
    leaseClock = new TimerLeaseClock();
    watchWith(OwnCallSettings.DEFAULTS);
  }

  private void watchWith(OwnCallSettings settings) {
    if (leases != null) {
      leases.close();
    }
    calls = new OwnCalls(relay, settings);
    leases =
        new Leases(
            LeaseSettings.DEFAULTS,
            new OwnCallLeaseServers(calls, PATIENCE),
            leaseClock,
            LeaseMeters.NONE);
    watch =
        new RegistryWatch(
            () -> SETTINGS,
            calls,
            leases,
            from ->
                (endpoint, object) ->
                    object.equals(unreachable)
                        ? Optional.empty()
                        : Optional.of(
                            new Target(
                                "127.0.0.1",
                                endpoint.port(),
                                AddressRule.NAMED,
                                PATIENCE,
                                PATIENCE)),
            now::get,
            new LookupMeters() {
              @Override
              public void registryAsked() {
                asked.incrementAndGet();
              }
            });
  }

  @AfterEach
  void end() throws Exception {
    leases.close();
    leaseClock.close();
    relay.close();
    if (slow != null) {
      slow.close();
    }
    for (Remote exported : List.of(one, two, registry)) {
      UnicastRemoteObject.unexportObject(exported, true);
    }
  }

  @Test
  void aRebindIsToldWithinTheInterval() throws Exception {
    hold();
    registry.rebind("Hello", stubOfTwo);
    now.addAndGet(POLL - TICK - 1);
    watch.tick(TICK);
    assertThat(asked).hasValue(1); // there is time enough in a tick from here
    now.addAndGet(1);
    watch.tick(TICK);
    assertThat(asked).hasValue(2);
    Bound told = (Bound) awaitTold(2);
    assertThat(told.pushed()).contains(name());
    assertThat(objectTold(holder)).isEqualTo(reference(stubOfTwo).object());
  }

  private static CallRules rules() {
    try {
      return Rulebook.of(
              new ClassSettings(
                  ClassMode.ENFORCE,
                  List.of(),
                  List.of(),
                  Optional.empty(),
                  ClassSettings.CALL_LIMIT),
              LearningLog.NOTHING)
          .rules(List.of());
    } catch (IOException impossible) {
      throw new AssertionError("there are no jars to read", impossible);
    }
  }

  @Test
  void theSameRulesJudgeABindingOnceAndNotUnderTheLock() throws Exception {
    List<Holder> holders = new ArrayList<>(List.of(holder));
    for (int i = 0; i < 4; i++) {
      Holder other = new Holder("ann");
      other.rules = holder.rules;
      holders.add(other);
    }
    // a caller that holds the lock during this call would wait for ever
    holders.forEach(
        each -> each.whileJudging = () -> CompletableFuture.supplyAsync(watch::views).join());
    hold();
    for (Holder each : holders.subList(1, holders.size())) {
      ask(each, 1, false);
      await().until(() -> each.told.size() == 1);
    }
    assertThat(verdicts(holders)).hasSize(1);

    registry.rebind("Hello", stubOfTwo);
    now.addAndGet(POLL - TICK);
    watch.tick(TICK);
    await().until(() -> holders.stream().allMatch(each -> each.told.size() == 2));
    assertThat(verdicts(holders)).hasSize(2);

    int before = holders.stream().mapToInt(each -> each.ahead.size()).sum();
    now.addAndGet(POLL - TICK);
    watch.tick(TICK);
    await().until(() -> asked.get() == 3 && watch.views().get(0).ageMillis() == 0);
    assertThat(holders.stream().mapToInt(each -> each.ahead.size()).sum()).isEqualTo(before);

    holders.get(0).rules = rules(); // as after a reload
    holders.get(0).view = "reloaded";
    watch.tick(TICK);
    assertThat(verdicts(holders)).hasSize(3);
    assertThat(holders).allSatisfy(each -> assertThat(each.late).hasValue(0));
  }

  private static Set<WholeReply.Verdict> verdicts(List<Holder> holders) {
    Set<WholeReply.Verdict> all = Collections.newSetFromMap(new IdentityHashMap<>());
    holders.forEach(each -> all.addAll(each.verdicts));
    return all;
  }

  @Test
  void anUnbindIsToldWithinTheInterval() throws Exception {
    hold();
    registry.unbind("Hello");
    now.addAndGet(POLL - TICK);
    watch.tick(TICK);
    Unbound told = (Unbound) awaitTold(2);
    assertThat(told.pushed()).contains(name());
    assertThat(told.reason()).isEqualTo(UnboundReason.GONE);
    assertThat(watch.views()).isEmpty();
  }

  @Test
  void nothingOlderThanTheIntervalIsAnAnswer() throws Exception {
    hold();
    registry.rebind("Hello", stubOfTwo);
    now.addAndGet(POLL);
    Holder second = new Holder("ann");
    ask(second, 1, false);
    assertThat(second.told).hasSize(1); // as known
    now.addAndGet(1);
    Holder third = new Holder("ann");
    ask(third, 1, false);
    await().until(() -> third.told.size() == 1);
    assertThat(asked).hasValue(2);
    assertThat(objectTold(third)).isEqualTo(reference(stubOfTwo).object());
    assertThat(objectTold(second)).isEqualTo(reference(stubOfTwo).object()); // and pushed
  }

  @Test
  void aSessionThatHasEndedIsWatchedForNoMore() throws Exception {
    watch.end(holder.names);
    ask(holder, 1, false); // was on its way
    watch.preload(holder.names, Map.of(name(), target));
    assertThat(asked).hasValue(0);
    assertThat(holder.told).isEmpty();
    assertThat(watch.views()).isEmpty();
  }

  /** No registry was asked, so no registry has said that a name is gone. */
  @Test
  void nameThatCouldNotBeAskedForIsNotGone() throws Exception {
    watchWith(ONE_AT_A_TIME);
    for (int i = 0; i < 3; i++) {
      registry.rebind("Hello" + i, stubOfTwo);
      watch.ask(holder.names, name("Hello" + i), target, i + 1L, false);
      awaitTold(i + 1);
    }
    now.addAndGet(POLL);
    whileTheLoopIsBusy(() -> watch.tick(TICK)); // three at once: there is no room for the third
    assertThat(asked).hasValue(6);
    assertThat(watch.views()).hasSize(3);

    await()
        .pollInterval(Duration.ofMillis(200)) // acknowledgements take room too
        .until(
            () -> {
              now.addAndGet(TICK);
              watch.tick(TICK); // again, soon
              return asked.get() > 6
                  && watch.views().stream().allMatch(view -> view.ageMillis() < POLL / 1_000_000);
            });
    assertThat(holder.told).hasSize(3).allMatch(Bound.class::isInstance);
  }

  @Test
  void nameThatCannotBeAskedForForLongIsGone() throws Exception {
    watchWith(ONE_AT_A_TIME);
    hold();
    now.addAndGet(POLL + Duration.ofSeconds(31).toNanos());
    registry.rebind("Other", stubOfTwo);
    Holder second = new Holder("bob");
    whileTheLoopIsBusy(
        () -> {
          watch.ask(second.names, name("Other"), target, 1, false);
          watch.ask(second.names, name("Third"), target, 2, false);
          watch.tick(TICK);
        });
    assertThat(((Unbound) awaitTold(2)).reason()).isEqualTo(UnboundReason.GONE);
  }

  @Test
  void leaseThatIsRefusedEndsOnlyWhatNeedsIt() throws Exception {
    unreachable = Optional.of(reference(stubOfTwo).object());
    registry.rebind("Other", stubOfTwo);
    hold();

    watch.ask(holder.names, name("Other"), target, 2, false);

    assertThat(((Unbound) awaitTold(2)).reason()).isEqualTo(UnboundReason.NOT_CACHEABLE);
    assertThat(watch.views()).extracting(WatchedView::name).containsExactly("Hello");

    unreachable = Optional.of(ObjIdentifier.ACTIVATOR);
    watch.ask(holder.names, name("Other"), target, 3, false);
    assertThat(awaitTold(3)).isInstanceOf(Bound.class); // the lease is asked for anew
    await().until(() -> held() == 2);
    watch.end(holder.names);
    await().until(() -> leases.views().isEmpty());
  }

  private int held() {
    return leases.views().stream()
        .flatMap(view -> view.endpoints().stream())
        .mapToInt(LeaseView.Row::held)
        .sum();
  }

  /** What it asks for meanwhile comes to the loop in one piece; returns when that has happened. */
  private void whileTheLoopIsBusy(Runnable asking) throws Exception {
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch free = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    onLoop(
        () -> {
          busy.countDown();
          try {
            free.await();
          } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
          }
        });
    assertThat(busy.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    asking.run();
    onLoop(over::countDown); // behind all of it
    free.countDown();
    assertThat(over.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  /** Once a call has ended, whether there was room for it or not. */
  private void onLoop(Runnable then) {
    calls.call(
        this,
        this,
        target,
        RegistryCall.lookup("Hello"),
        OwnCalls.Result.OBJECT,
        PATIENCE,
        new OwnCallListener() {
          @Override
          public void onReturn(byte[] message) {
            then.run();
          }

          @Override
          public void onFailure(OwnCallFailure failure) {
            then.run();
          }
        });
  }

  @Test
  void freshLookupsWaitForTheNextOneAndTakeNobodysAnswerAway() throws Exception {
    byte[] answer = answer();
    beSlow();
    Holder second = new Holder("bob");
    ask(holder, 1, false);
    ask(second, 1, true);
    ask(second, 2, true);
    assertThat(asked).hasValue(1);
    say(1, answer);
    await().until(() -> holder.told.size() == 1);
    await().until(() -> asked.get() == 2);
    ask(second, 3, true);
    assertThat(second.told).isEmpty();
    say(2, answer);
    await().until(() -> second.told.size() == 2);
    await().until(() -> asked.get() == 3);
    say(3, answer);
    await().until(() -> second.told.size() == 3);
    assertThat(second.told).allMatch(Bound.class::isInstance);
    assertThat(holder.told).hasSize(1); // the same binding
  }

  @Test
  void nobodyIsAnsweredWithWhatSomebodyHasFoundWrong() throws Exception {
    byte[] answer = answer();
    beSlow();
    ask(holder, 1, false);
    say(1, answer);
    await().until(() -> holder.told.size() == 1);
    Holder second = new Holder("bob");
    ask(holder, 2, true);
    ask(second, 1, false);
    assertThat(second.told).isEmpty();
    assertThat(asked).hasValue(2);
    say(2, answer);
    await().until(() -> second.told.size() == 1);
    assertThat(asked).hasValue(2);
  }

  @Test
  void aNameThatChangesFasterThanItIsLookedUpIsLeftToItsRegistry() throws Exception {
    byte[] answer = answer();
    beSlow();
    ask(holder, 1, false);
    for (int lookups = 1; holder.told.isEmpty(); lookups++) {
      int now = lookups;
      await().until(() -> asked.get() == now);
      watch.changed(target, Optional.of("Hello"));
      say(lookups, answer);
      await().until(() -> asked.get() > now || !holder.told.isEmpty());
    }
    assertThat(((Unbound) holder.told.get(0)).reason()).isEqualTo(UnboundReason.NOT_CACHEABLE);
    assertThat(asked.get()).isBetween(2, 20);
  }

  @Test
  void whatIsLookedUpElsewhereFromHereOnIsAnsweredForWhereItWas() throws Exception {
    Target real = target;
    beSlow();
    RegistryName name = name();
    watch.ask(holder.names, name, target, 1, false);
    watch.ask(holder.names, name, real, 2, false);
    await().until(() -> holder.told.size() == 2);
    assertThat(((Unbound) holder.told.get(0)).number()).isEqualTo(1);
    assertThat(((Bound) holder.told.get(1)).number()).isEqualTo(2);
  }

  @Test
  void anAgentThatForgetsNothingIsToldNoMoreThanItMayHold() throws Exception {
    hold();
    for (int i = 1; i < Subscriptions.MAX_TOLD; i++) {
      ask(holder, i + 1, false);
    }
    assertThat(holder.told).hasSize(Subscriptions.MAX_TOLD).allMatch(Bound.class::isInstance);
    ask(holder, 1, false);
    Unbound last = (Unbound) holder.told.get(Subscriptions.MAX_TOLD);
    assertThat(last.reason()).isEqualTo(UnboundReason.NOT_CACHEABLE);
    watch.forgetting(holder.names, 1).orElseThrow().run();
    assertThat(watch.forgetting(holder.names, 1)).isEmpty();
    ask(holder, 1, false);
    await().until(() -> holder.told.size() == Subscriptions.MAX_TOLD + 2);
    assertThat(holder.told.get(Subscriptions.MAX_TOLD + 1)).isInstanceOf(Bound.class);
  }

  @Test
  void anAgentWaitsForNoMoreLookupsThanItMay() throws Exception {
    beSlow();
    for (int i = 0; i < Subscriptions.MAX_ASKS; i++) {
      ask(holder, i + 1, i % 2 == 0);
    }
    assertThat(holder.told).isEmpty();
    ask(holder, Subscriptions.MAX_ASKS + 1, false);
    assertThat(((Unbound) holder.told.get(0)).reason()).isEqualTo(UnboundReason.NOT_CACHEABLE);
    Holder second = new Holder("ann");
    ask(second, 1, false);
    assertThat(second.told).isEmpty();
    assertThat(asked).hasValue(1);
  }

  @Test
  void namesOfWhichNothingIsLeftTakeNoRoom() throws Exception {
    for (int i = 0; i < Subscriptions.MAX_NAMES; i++) {
      watch.ask(holder.names, name("Unbound" + i), target, i + 1, false);
    }
    awaitTold(Subscriptions.MAX_NAMES);
    ask(holder, 1, false);
    Frame last = awaitTold(Subscriptions.MAX_NAMES + 1);
    assertThat(last).isInstanceOf(Bound.class);
    Bound bound = (Bound) last;
    watch.forgetting(holder.names, bound.binding()).orElseThrow().run();
    assertThat(holder.names.isEmpty()).isTrue();
  }

  @Test
  void noPrincipalTakesAllTheNames() throws Exception {
    beSlow();
    Holder second = new Holder("ann");
    int most = 2_500;
    for (int i = 0; i < most; i++) {
      Holder asking = i < Subscriptions.MAX_NAMES ? holder : second;
      watch.ask(asking.names, name("Name" + i), target, i + 1, false);
    }
    assertThat(second.told).isEmpty();
    watch.ask(second.names, name("OneMore"), target, 1, false);
    assertThat(second.told).hasSize(1);
    Holder bob = new Holder("bob");
    watch.ask(bob.names, name("OneMore"), target, 1, false);
    watch.ask(second.names, name("Name0"), target, 2, false); // no other name
    assertThat(bob.told).isEmpty();
    assertThat(second.told).hasSize(1);
  }

  @Test
  void aSessionIsAskedWhatItMaySeeOnlyWhenThatMayHaveChanged() throws Exception {
    hold();
    watch.tick(TICK);
    int judged = holder.judged.get();
    for (int i = 0; i < 10; i++) {
      watch.tick(TICK);
    }
    assertThat(holder.judged).hasValue(judged);
    holder.view = "nothing";
    watch.tick(TICK);
    assertThat(((Unbound) awaitTold(2)).reason()).isEqualTo(UnboundReason.GONE);
    assertThat(watch.views()).isEmpty();
  }

  @Test
  void aChangeIsSeenAtOnceInWhateverWayTheRegistryIsReached() throws Exception {
    hold();
    registry.rebind("Hello", stubOfTwo);
    watch.changed(
        new Target("127.0.0.1", target.port(), AddressRule.ROUTABLE, PATIENCE, PATIENCE),
        Optional.of("Hello"));
    awaitTold(2);
    assertThat(objectTold(holder)).isEqualTo(reference(stubOfTwo).object());
  }

  @Test
  void aChangeIsSeenSoonUnderAnotherNameOfTheHost() throws Exception {
    hold();
    registry.rebind("Hello", stubOfTwo);
    watch.changed(
        new Target("localhost", target.port(), AddressRule.NAMED, PATIENCE, PATIENCE),
        Optional.of("Hello"));
    watch.tick(0);
    assertThat(asked)
        .hasValue(1); // a client that may rebind there cannot have it asked all the time
    Holder second = new Holder("bob");
    ask(second, 1, false);
    await().until(() -> second.told.size() == 1);
    assertThat(objectTold(second)).isEqualTo(reference(stubOfTwo).object());
    watch.changed(
        new Target("localhost", target.port(), AddressRule.NAMED, PATIENCE, PATIENCE),
        Optional.of("Hello"));
    now.addAndGet(TICK);
    watch.tick(0);
    assertThat(asked).hasValue(3);
  }

  private void ask(Holder of, long number, boolean fresh) {
    watch.ask(of.names, name(), target, number, fresh);
  }

  /** What the registry answers. */
  private byte[] answer() throws Exception {
    Holder any = new Holder("ann");
    ask(any, 1, false);
    await().until(() -> any.told.size() == 1);
    asked.set(0);
    return ((Bound) any.told.get(0)).message();
  }

  /** From here on the registry is another one, which answers when it is told to. */
  private void beSlow() throws IOException {
    slow = new ScriptedRmiServer(FailurePolicy.NEVER_ANSWER);
    target = new Target("127.0.0.1", slow.port(), AddressRule.NAMED, PATIENCE, PATIENCE);
  }

  /** Answers the lookup with this number, once it has come. */
  private void say(int number, byte[] answer) throws IOException {
    await().until(() -> lookups(slow.received()) == number);
    for (ScriptedRmiServer.Connection each : slow.connections()) {
      // an acknowledgement may be on its way to where the last answer went
      if (lookups(each.received()) > said.getOrDefault(each, 0)) {
        said.merge(each, 1, Integer::sum);
        each.say(answer);
        return;
      }
    }
    throw new AssertionError("no connection waits for an answer");
  }

  private static int lookups(byte[] received) {
    String lookup = text(RegistryCall.lookup("Hello"));
    return text(received).split(Pattern.quote(lookup), -1).length - 1;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private void hold() throws Exception {
    ask(holder, 1, false);
    awaitTold(1);
    assertThat(asked).hasValue(1);
  }

  private Frame awaitTold(int count) {
    await().until(() -> holder.told.size() == count);
    return holder.told.get(count - 1);
  }

  private static ObjIdentifier objectTold(Holder holder) {
    Bound last = (Bound) holder.told.get(holder.told.size() - 1);
    return LiveReferenceScan.scan(last.message(), 0, last.message().length).get(0).object();
  }

  private RegistryName name() {
    return name("Hello");
  }

  private RegistryName name(String name) {
    return new RegistryName(new EndpointId("127.0.0.1", target.port()), name);
  }

  private static LiveReference reference(Remote stub) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(stub);
    }
    return LiveReferenceScan.scan(bytes.toByteArray(), 0, bytes.size()).get(0);
  }
}
