package io.rmigate.gateway.lookup;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.lease.InsideLeaseServers;
import io.rmigate.gateway.lease.LeaseMeters;
import io.rmigate.gateway.lease.LeaseSettings;
import io.rmigate.gateway.lease.Leases;
import io.rmigate.gateway.lease.TimerLeaseClock;
import io.rmigate.gateway.relay.AddressRule;
import io.rmigate.gateway.relay.InsideCallListener;
import io.rmigate.gateway.relay.InsideCalls;
import io.rmigate.gateway.relay.InsideFailure;
import io.rmigate.gateway.relay.InsideSettings;
import io.rmigate.gateway.relay.Relay;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.relay.Target;
import io.rmigate.protocol.NamePatterns;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.LiveReference;
import io.rmigate.protocol.jrmp.LiveReferenceScan;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.RegistryCall;
import io.rmigate.protocol.tunnel.Bound;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.RegistryName;
import io.rmigate.protocol.tunnel.Unbound;
import io.rmigate.protocol.tunnel.UnboundReason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteObject;
import java.rmi.server.UnicastRemoteObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How old an answer may be: a registry of the running JDK, and a clock that stands still. */
class RegistryWatchTest {
  private static final long POLL = Duration.ofSeconds(10).toNanos();
  private static final long TICK = Duration.ofSeconds(1).toNanos();

  /** One call at a time to one target, and one waits. */
  private static final InsideSettings SETTINGS =
      new InsideSettings(1, 1, 1 << 20, 1 << 20, PATIENCE);

  private static final class Exported implements Remote {}

  /** A session that may see everything. */
  private static final class Holder implements BindingHolder {
    private final List<Frame> told = new CopyOnWriteArrayList<>();
    private final AtomicLong bindings = new AtomicLong();

    @Override
    public boolean maySee(Subscription subscription) {
      return true;
    }

    @Override
    public void learn(Subscription subscription, List<LiveReference> references) {}

    @Override
    public void queue(Frame frame) {
      told.add(frame);
    }

    @Override
    public void flush() {}

    @Override
    public long nextBinding(Subscription subscription) {
      return bindings.incrementAndGet();
    }
  }

  private final Exported one = new Exported();
  private final Exported two = new Exported();
  private final AtomicLong now = new AtomicLong();
  private final AtomicInteger asked = new AtomicInteger();
  private final Holder holder = new Holder();
  private Registry registry;
  private Remote stubOfTwo;
  private Target target;
  private Relay relay;
  private TimerLeaseClock leaseClock;
  private Leases leases;
  private RegistryWatch watch;
  private InsideCalls calls;

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
    calls = new InsideCalls(relay, SETTINGS);
    leaseClock = new TimerLeaseClock();
    leases =
        new Leases(
            LeaseSettings.DEFAULTS,
            new InsideLeaseServers(calls, PATIENCE),
            leaseClock,
            LeaseMeters.NONE);
    watch =
        new RegistryWatch(
            () -> new LookupSettings(true, NamePatterns.NONE, Duration.ofNanos(POLL), List.of()),
            calls,
            leases,
            from ->
                (endpoint, object) ->
                    Optional.of(
                        new Target(
                            "127.0.0.1", endpoint.port(), AddressRule.NAMED, PATIENCE, PATIENCE)),
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
    Holder second = new Holder();
    watch.ask(new Subscription(second, name(), target), 1, false);
    assertThat(second.told).hasSize(1); // as known
    now.addAndGet(1);
    Holder third = new Holder();
    watch.ask(new Subscription(third, name(), target), 1, false);
    await().until(() -> third.told.size() == 1);
    assertThat(asked).hasValue(2);
    assertThat(objectTold(third)).isEqualTo(reference(stubOfTwo).object());
    assertThat(objectTold(second)).isEqualTo(reference(stubOfTwo).object()); // and pushed
  }

  @Test
  void aSessionThatHasEndedIsWatchedForNoMore() throws Exception {
    Subscription subscription = new Subscription(holder, name(), target);
    watch.end(List.of(subscription));
    watch.ask(subscription, 1, false); // was on its way
    watch.preload(List.of(subscription));
    assertThat(asked).hasValue(0);
    assertThat(watch.views()).isEmpty();
  }

  /** Nobody has been asked, so nobody has said that a name is gone. */
  @Test
  void nameThatCouldNotBeAskedForIsNotGone() throws Exception {
    for (int i = 0; i < 3; i++) {
      registry.rebind("Hello" + i, stubOfTwo);
      watch.ask(new Subscription(holder, name("Hello" + i), target), i + 1L, false);
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
    hold();
    now.addAndGet(POLL + Duration.ofSeconds(31).toNanos());
    registry.rebind("Other", stubOfTwo);
    Holder second = new Holder();
    Subscription other = new Subscription(second, name("Other"), target);
    Subscription third = new Subscription(second, name("Third"), target);
    whileTheLoopIsBusy(
        () -> {
          watch.ask(other, 1, false);
          watch.ask(third, 2, false);
          watch.tick(TICK);
        });
    assertThat(((Unbound) awaitTold(2)).reason()).isEqualTo(UnboundReason.GONE);
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
        target,
        RegistryCall.lookup("Hello"),
        InsideCalls.Result.OBJECT,
        PATIENCE,
        new InsideCallListener() {
          @Override
          public void onReturn(byte[] message) {
            then.run();
          }

          @Override
          public void onFailure(InsideFailure failure) {
            then.run();
          }
        });
  }

  private void hold() throws Exception {
    watch.ask(new Subscription(holder, name(), target), 1, false);
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
