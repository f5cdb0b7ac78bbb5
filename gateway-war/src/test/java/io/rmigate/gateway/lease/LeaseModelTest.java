package io.rmigate.gateway.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.relay.address.AddressRule;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.Clean;
import io.rmigate.protocol.tunnel.DgcAck;
import io.rmigate.protocol.tunnel.Dirty;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Agents take, drop and take again, lose their links, come back or do not; servers behind a bad
 * network do as the JDK's do. An object that an agent holds is alive at every moment, and an object
 * that no agent holds is released, the server having been told so. Hours of it in a second, the
 * same for the same seed.
 */
class LeaseModelTest {

  /** Histories for each seed; {@code -Drmigate.leases.rounds=10000} takes minutes. */
  private static final int ROUNDS = Integer.getInteger("rmigate.leases.rounds", 150);

  private static final int STEPS = 300;
  private static final int SERVERS = 3;
  private static final int AGENTS = 3;
  private static final Duration GRACE = Duration.ofSeconds(20);

  /** An agent: what it holds, and the session it says so in. */
  private static final class Agent {
    final Set<ModelServers.Exported> held = new LinkedHashSet<>();
    SessionLeases session;
  }

  private final FakeLeaseClock clock = new FakeLeaseClock();
  private final AtomicLong counted = new AtomicLong();
  private final List<ModelServers.Exported> exported = new ArrayList<>();
  private final List<Agent> agents = new ArrayList<>();
  private Random random;
  private ModelServers servers;
  private Leases all;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 20261121})
  void whatIsHeldLivesAndWhatIsNotIsReleased(long seed) {
    for (int round = 0; round < ROUNDS; round++) {
      long own = seed * 1_000_003 + round;
      try {
        new LeaseModelTest().run(own);
      } catch (AssertionError failed) {
        throw new AssertionError("seed " + own + ", " + whenRepeated(own), failed);
      }
    }
  }

  private static String whenRepeated(long seed) {
    try {
      new LeaseModelTest().run(seed);
    } catch (AssertionError again) {
      return "which fails again";
    }
    return "which passes when it is repeated";
  }

  private void run(long seed) {
    random = new Random(seed);
    servers = new ModelServers(clock, random);
    all =
        new Leases(
            new LeaseSettings(true, GRACE, 10_000, 100, Duration.ofSeconds(5)),
            servers,
            clock,
            new LeaseMeters() {
              @Override
              public void leasesHeld(int change) {
                counted.addAndGet(change);
              }
            });
    for (int i = 0; i < AGENTS; i++) {
      Agent agent = new Agent();
      open(agent);
      agents.add(agent);
    }
    for (int step = 0; step < STEPS; step++) {
      act(agents.get(random.nextInt(AGENTS)));
      pass(random.nextInt(10) == 0 ? 8000 : 60);
    }
    servers.faults = false;
    for (Agent agent : agents) {
      drop(agent, List.copyOf(agent.held));
      if (random.nextBoolean()) {
        agent.session.release();
      } else {
        agent.session.releaseAfterGrace();
      }
    }
    pass((int) GRACE.plus(ModelServers.LEASE.multipliedBy(3)).toMillis());
    for (ModelServers.Exported object : exported) {
      assertThat(object.isHeld()).as("%s is leaked", object.id).isFalse();
      assertThat(object.unreferenced).as("server was told of %s", object.id).isPositive();
    }
    assertThat(counted).hasValue(0);
    assertThat(all.accounts().lingering()).isZero();
    assertThat(all.accounts().principals()).isZero();
    assertThat(all.views()).isEmpty();
    assertThat(servers.underWay()).isZero();
  }

  private void act(Agent agent) {
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> take(agent, newObjects());
      case 3 -> takeAgain(agent);
      case 4, 5, 6 -> drop(agent, some(agent.held));
      case 7 -> passOn(agent, agents.get(random.nextInt(AGENTS)));
      case 8 -> {
        if (random.nextInt(4) == 0) {
          comeBack(agent);
        }
      }
      default -> {
        if (random.nextInt(4) == 0) {
          die(agent);
        }
      }
    }
  }

  private List<ModelServers.Exported> newObjects() {
    List<ModelServers.Exported> objects = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      objects.add(servers.export(random.nextInt(SERVERS)));
    }
    exported.addAll(objects);
    return objects;
  }

  private <T> List<T> some(Set<T> of) {
    return of.stream().filter(any -> random.nextInt(3) == 0).toList();
  }

  /** A Return brings these: dirty for each endpoint, then the acknowledgement. */
  private void take(Agent agent, List<ModelServers.Exported> objects) {
    if (objects.isEmpty()) {
      return;
    }
    int returning = objects.get(0).server;
    long pin = servers.pin(objects);
    agent.held.addAll(objects);
    declare(agent, objects);
    agent.session.acknowledge(new DgcAck(endpoint(returning), ModelServers.uid(pin)));
    // Pins of other servers' objects end when their own senders are told.
    objects.stream()
        .map(object -> object.server)
        .filter(server -> server != returning)
        .distinct()
        .forEach(
            server ->
                agent.session.acknowledge(new DgcAck(endpoint(server), ModelServers.uid(pin))));
  }

  private void takeAgain(Agent agent) {
    take(agent, exported.stream().filter(ModelServers.Exported::isAlive).limit(5).toList());
  }

  private void passOn(Agent from, Agent to) {
    take(to, some(from.held));
  }

  private void drop(Agent agent, List<ModelServers.Exported> objects) {
    objects.forEach(agent.held::remove);
    byServer(objects)
        .forEach((server, ids) -> agent.session.clean(new Clean(endpoint(server), ids)));
  }

  /** The link was cut: a new session, in which everything is declared first. */
  private void comeBack(Agent agent) {
    SessionLeases lost = agent.session;
    open(agent);
    if (random.nextBoolean()) {
      lost.releaseAfterGrace();
      declare(agent, agent.held);
    } else {
      declare(agent, agent.held);
      pass(3000);
      lost.releaseAfterGrace();
    }
  }

  /** The client is killed and another one starts; what it held is released. */
  private void die(Agent agent) {
    SessionLeases lost = agent.session;
    agent.held.clear();
    open(agent);
    if (random.nextBoolean()) {
      lost.release();
    } else {
      lost.releaseAfterGrace();
    }
  }

  private void open(Agent agent) {
    String principal = "p" + agents.indexOf(agent);
    agent.session = all.open("s", principal, principal, LeaseModelTest::reach, leased -> {});
  }

  private static void declare(Agent agent, Iterable<ModelServers.Exported> objects) {
    byServer(objects)
        .forEach((server, ids) -> agent.session.dirty(new Dirty(0, endpoint(server), ids)));
  }

  private static Map<Integer, List<ObjIdentifier>> byServer(
      Iterable<ModelServers.Exported> objects) {
    Map<Integer, List<ObjIdentifier>> ids = new TreeMap<>();
    objects.forEach(
        object -> ids.computeIfAbsent(object.server, any -> new ArrayList<>()).add(object.id));
    return ids;
  }

  private static EndpointId endpoint(int server) {
    return new EndpointId("model", server);
  }

  private static Optional<Target> reach(EndpointId endpoint, Optional<ObjIdentifier> object) {
    return Optional.of(
        new Target(
            endpoint.host(),
            endpoint.port(),
            AddressRule.NAMED,
            Duration.ofSeconds(1),
            Duration.ofSeconds(1)));
  }

  /** Time passes in small pieces, after each of which everything held must be alive. */
  private void pass(int millis) {
    for (int passed = 0; passed < millis; passed += 20) {
      clock.pass(Duration.ofMillis(20));
      for (Agent agent : agents) {
        for (ModelServers.Exported object : agent.held) {
          if (!object.isAlive()) {
            throw new AssertionError(
                "%s at %d is dead and held, in the state%n%s%nafter%n%s"
                    .formatted(object.id, object.server, state(), servers.latest(200)));
          }
        }
      }
    }
  }

  private String state() {
    return agents.stream()
        .map(agent -> agent.session.view() + " under " + agent.session.vmId())
        .collect(Collectors.joining("\n"));
  }
}
