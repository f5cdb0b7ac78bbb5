package io.rmigate.gateway.lease;

import io.rmigate.gateway.relay.address.Target;
import io.rmigate.gateway.relay.own.DeliveryStatus;
import io.rmigate.gateway.relay.own.OwnCallFailure;
import io.rmigate.gateway.relay.own.OwnCallListener;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.jrmp.message.LeaseReturn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Servers that do in memory what the JDK's do with dirty, clean, DgcAck and expiring leases
 * (JRMP.md 5.2), behind a network that delays, loses and answers late. Everything happens on the
 * clock.
 */
final class ModelServers implements LeaseServers {
  static final Duration LEASE = Duration.ofSeconds(10);
  private static final Duration CHECK = Duration.ofSeconds(1);

  /** An exported object and who keeps it alive. */
  static final class Exported {
    final int server;
    final ObjIdentifier id;
    final Set<Long> pins = new HashSet<>();
    private final Map<VmIdentifier, Long> lastNumbers = new HashMap<>();
    private final Set<VmIdentifier> kept = new HashSet<>();
    private final Set<VmIdentifier> holders = new HashSet<>();
    int unreferenced;

    private Exported(int server, ObjIdentifier id) {
      this.server = server;
      this.id = id;
    }

    boolean isAlive() {
      return !pins.isEmpty() || !holders.isEmpty();
    }

    boolean isHeld() {
      return !holders.isEmpty();
    }

    private void dirty(VmIdentifier client, long number) {
      Long last = lastNumbers.get(client);
      if (last == null || last < number) {
        lastNumbers.put(client, number);
        holders.add(client);
      }
    }

    private void clean(VmIdentifier client, long number, boolean strong) {
      Long last = lastNumbers.get(client);
      if (last == null || last > number) {
        return; // late, or never seen
      }
      if (strong) {
        lastNumbers.put(client, number);
        kept.add(client);
      } else if (!kept.contains(client)) {
        lastNumbers.remove(client);
      }
      drop(client);
    }

    private void expire(VmIdentifier client) {
      lastNumbers.remove(client);
      drop(client);
    }

    private void drop(VmIdentifier client) {
      if (holders.remove(client) && holders.isEmpty()) {
        unreferenced++;
      }
    }
  }

  /** A line for whom a failure is explained to; put into words only then. */
  private record Heard(long nanos, Supplier<String> what) {}

  private final FakeLeaseClock clock;
  private final Random random;
  private final Map<Integer, Map<ObjIdentifier, Exported>> servers = new HashMap<>();
  private final Map<Integer, Map<VmIdentifier, Long>> leaseEnds = new HashMap<>();
  private final Map<VmIdentifier, byte[]> answers = new HashMap<>(); // to dirties, all alike
  private final List<Heard> log = new ArrayList<>();
  private long pins;
  private int nextId;
  private int underWay;
  boolean faults = true;

  /** Percentage of calls that are executed and whose answers are lost. */
  private final int lostAnswers;

  ModelServers(FakeLeaseClock clock, Random random) {
    this.clock = clock;
    this.random = random;
    this.lostAnswers = random.nextBoolean() ? 6 : 50;
    expire();
  }

  private void expire() {
    leaseEnds.forEach(
        (server, ends) ->
            ends.entrySet()
                .removeIf(
                    lease -> {
                      boolean over = clock.nanoTime() >= lease.getValue();
                      if (over) {
                        VmIdentifier client = lease.getKey();
                        say(() -> "lease of " + client + " at " + server + " is over");
                        objects(server).values().forEach(object -> object.expire(client));
                      }
                      return over;
                    }));
    clock.at(clock.nanoTime() + CHECK.toNanos(), this::expire);
  }

  private Map<ObjIdentifier, Exported> objects(int server) {
    return servers.computeIfAbsent(server, missing -> new HashMap<>());
  }

  Exported export(int server) {
    Exported object = new Exported(server, new ObjIdentifier(++nextId, server, 0, (short) 0));
    objects(server).put(object.id, object);
    return object;
  }

  /** A Return with these objects leaves a server; its number is to be acknowledged. */
  long pin(List<Exported> objects) {
    pins++;
    objects.forEach(object -> object.pins.add(pins));
    return pins;
  }

  /** The number of a pin as the UID of a Return. */
  static byte[] uid(long pin) {
    return java.nio.ByteBuffer.allocate(14).putLong(6, pin).array();
  }

  int underWay() {
    return underWay;
  }

  /** The last lines of what servers have heard. */
  String latest(int lines) {
    return log.subList(Math.max(0, log.size() - lines), log.size()).stream()
        .map(heard -> heard.nanos() / 1_000_000 + " " + heard.what().get())
        .collect(Collectors.joining("\n"));
  }

  private void say(Supplier<String> what) {
    log.add(new Heard(clock.nanoTime(), what));
  }

  private void in(int maxMillis, Runnable task) {
    clock.at(clock.nanoTime() + random.nextInt(maxMillis) * 1_000_000L, task);
  }

  @Override
  public void call(
      Object payer, Target target, DgcCall call, Duration within, OwnCallListener listener) {
    underWay++;
    int fault = faults ? random.nextInt(100) : 99;
    // A dirty with objects that is never executed leaves them without a lease once its DgcAck is
    // gone, here as with plain RMI. That is no error of ours, so it does not happen here.
    boolean mayVanish = !(call instanceof DgcCall.Dirty && !call.objects().isEmpty());
    if (fault < 4 && mayVanish) {
      in(50, () -> fail(call, listener, DeliveryStatus.NOT_SENT));
    } else if (fault < 8 && mayVanish) {
      in(50, () -> fail(call, listener, DeliveryStatus.POSSIBLY_DELIVERED));
    } else if (fault < 10) {
      if (!mayVanish || fault == 8) {
        in(200, () -> execute(target.port(), call));
      }
      clock.at(
          clock.nanoTime() + within.toNanos(),
          () -> fail(call, listener, DeliveryStatus.POSSIBLY_DELIVERED));
    } else if (fault < 10 + lostAnswers) {
      in(
          200,
          () -> {
            execute(target.port(), call);
            in(200, () -> fail(call, listener, DeliveryStatus.POSSIBLY_DELIVERED));
          });
    } else {
      in(
          200,
          () -> {
            byte[] answer = execute(target.port(), call);
            in(
                200,
                () -> {
                  underWay--;
                  listener.onReturn(answer);
                });
          });
    }
  }

  private void fail(DgcCall call, OwnCallListener listener, DeliveryStatus delivery) {
    underWay--;
    say(() -> "fails, " + delivery + ": " + call);
    listener.onFailure(
        new OwnCallFailure(OwnCallFailure.Kind.CLOSED, delivery, Optional.empty(), "modelled"));
  }

  private byte[] execute(int server, DgcCall call) {
    say(() -> server + ": " + call);
    if (call instanceof DgcCall.Dirty dirty) {
      VmIdentifier client = dirty.client().orElseThrow();
      leaseEnds
          .computeIfAbsent(server, missing -> new HashMap<>())
          .put(client, clock.nanoTime() + LEASE.toNanos());
      for (ObjIdentifier id : dirty.objects()) {
        Exported object = objects(server).get(id);
        if (object != null && object.isAlive()) { // what has been collected is unknown
          object.dirty(client, dirty.sequence());
        }
      }
      return answers.computeIfAbsent(client, any -> LeaseReturn.encode(any, LEASE.toMillis()));
    }
    DgcCall.Clean clean = (DgcCall.Clean) call;
    for (ObjIdentifier id : clean.objects()) {
      Exported object = objects(server).get(id);
      if (object != null) {
        object.clean(clean.client(), clean.sequence(), clean.strong());
      }
    }
    return LeaseReturn.encodeNothing();
  }

  @Override
  public void acknowledge(
      Object payer, VmIdentifier client, Target target, byte[] acknowledged, Runnable whenOver) {
    long pin = java.nio.ByteBuffer.wrap(acknowledged).getLong(6);
    in(
        100,
        () -> {
          say(() -> target.port() + ": ack " + pin);
          objects(target.port()).values().forEach(object -> object.pins.remove(pin));
          whenOver.run();
        });
  }
}
