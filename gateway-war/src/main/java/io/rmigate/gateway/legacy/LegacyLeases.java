package io.rmigate.gateway.legacy;

import io.rmigate.gateway.callback.InnerLeases;
import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Shares;
import io.rmigate.protocol.AddressOwner;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.jrmp.message.LeaseReturn;
import io.rmigate.protocol.tunnel.Clean;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Leased;
import io.rmigate.protocol.tunnel.ObjectList;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The objects that the JVMs behind one client hold, by their VMIDs. Servers see none of these
 * leases: the session has one lease of its own for all JVMs.
 *
 * <p>A dirty call that names objects is answered when their server has granted the session's lease,
 * so that what the client goes by is true; renewals are answered at once. JVMs that do not renew
 * are forgotten, as by a server.
 *
 * <p>Guarded by its {@link LegacyClient}'s lock.
 */
final class LegacyLeases {
  /** Objects and JVMs that hold them, in pairs. */
  static final Quota PAIRS = Quota.threeQuarters(100_000);

  /** A lease that is over when it comes: the JVM is to say what it holds. */
  private static final Duration MOMENT = Duration.ofMillis(1);

  private final SecureRandom random = new SecureRandom();
  private final InetAddress host;
  private final Shares<AddressOwner> pairs = new Shares<>();
  private final Map<EndpointId, InnerLeases> tables = new HashMap<>();

  /** Dirty calls that wait for their server, by each of their frames' numbers. */
  private final Map<Long, Waiting> waiting = new HashMap<>();

  private long number;

  /** A dirty call, of which {@code frames} have not been answered. */
  private static final class Waiting {
    final EndpointId endpoint;
    final DgcCall.Dirty call;
    final VmIdentifier client;
    final Duration lease;
    final LegacyAnswer answer;
    int frames;
    String failure = "";

    Waiting(
        EndpointId endpoint,
        DgcCall.Dirty call,
        VmIdentifier client,
        Duration lease,
        LegacyAnswer answer) {
      this.endpoint = endpoint;
      this.call = call;
      this.client = client;
      this.lease = lease;
      this.answer = answer;
    }
  }

  /**
   * @param host of all of these JVMs
   */
  LegacyLeases(InetAddress host) {
    this.host = host;
  }

  /**
   * A call of the collector.
   *
   * @return how it is answered, outside the lock
   */
  Runnable call(
      EndpointId endpoint,
      DgcCall call,
      Duration lease,
      long now,
      List<Frame> out,
      LegacyAnswer answer) {
    return call instanceof DgcCall.Dirty dirty
        ? dirty(endpoint, dirty, lease, now, out, answer)
        : clean(endpoint, (DgcCall.Clean) call, lease, now, out, answer);
  }

  private Runnable dirty(
      EndpointId endpoint,
      DgcCall.Dirty call,
      Duration lease,
      long now,
      List<Frame> out,
      LegacyAnswer answer) {
    VmIdentifier client = call.client().orElseGet(this::newVmId);
    InnerLeases.Answer taken =
        tables
            .computeIfAbsent(endpoint, any -> new InnerLeases(pairs, PAIRS))
            .dirty(client, host, call.sequence(), call.objects(), now + lease.toNanos());
    return switch (taken.standing()) {
      case UNKNOWN -> answered(answer, LeaseReturn.encode(client, MOMENT.toMillis()));
      case STILL_UNKNOWN ->
          answered(answer, LegacyFailure.notDone("what this JVM holds is not known any more"));
      case FULL -> answered(answer, LegacyFailure.notDone("too many references are held"));
      case GRANTED ->
          call.objects().isEmpty()
              ? answered(answer, LeaseReturn.encode(client, lease.toMillis()))
              : ask(new Waiting(endpoint, call, client, lease, answer), out);
    };
  }

  private static Runnable answered(LegacyAnswer answer, byte[] message) {
    return () -> answer.whole(message);
  }

  private Runnable ask(Waiting dirty, List<Frame> out) {
    List<ObjIdentifier> objects = dirty.call.objects();
    for (int from = 0; from < objects.size(); from += ObjectList.MAX_OBJECTS) {
      int to = Math.min(from + ObjectList.MAX_OBJECTS, objects.size());
      dirty.frames++;
      waiting.put(++number, dirty);
      out.add(new Dirty(number, dirty.endpoint, objects.subList(from, to)));
    }
    return () -> {};
  }

  /** Takes the result of a frame. Answered outside the lock. */
  Runnable onLeased(Leased leased, List<Frame> out) {
    Waiting dirty = waiting.remove(leased.number());
    if (dirty == null) {
      return () -> {};
    }
    if (leased.outcome() != Leased.Outcome.HELD) {
      dirty.failure = leased.text().isEmpty() ? leased.outcome().name() : leased.text();
    }
    if (--dirty.frames > 0) {
      return () -> {};
    }
    if (dirty.failure.isEmpty()) {
      return answered(dirty.answer, LeaseReturn.encode(dirty.client, dirty.lease.toMillis()));
    }
    InnerLeases table = tables.get(dirty.endpoint);
    if (table != null) { // the client will ask again, and must not be told what is not so
      List<ObjIdentifier> released =
          table.clean(dirty.client, host, dirty.call.sequence(), dirty.call.objects(), false, 0);
      release(dirty.endpoint, released, out);
    }
    return answered(dirty.answer, LegacyFailure.notDone(dirty.failure));
  }

  private Runnable clean(
      EndpointId endpoint,
      DgcCall.Clean call,
      Duration lease,
      long now,
      List<Frame> out,
      LegacyAnswer answer) {
    InnerLeases table = tables.get(endpoint);
    if (table != null) {
      List<ObjIdentifier> released =
          table.clean(
              call.client(),
              host,
              call.sequence(),
              call.objects(),
              call.strong(),
              now + lease.toNanos());
      release(endpoint, released, out);
    }
    return answered(answer, LeaseReturn.encodeNothing());
  }

  private static void release(EndpointId endpoint, List<ObjIdentifier> objects, List<Frame> out) {
    for (int from = 0; from < objects.size(); from += ObjectList.MAX_OBJECTS) {
      int to = Math.min(from + ObjectList.MAX_OBJECTS, objects.size());
      out.add(new Clean(endpoint, objects.subList(from, to)));
    }
  }

  /** Ends the leases that are over. */
  void tick(long now, List<Frame> out) {
    tables.forEach((endpoint, table) -> release(endpoint, table.expire(now), out));
    tables.values().removeIf(table -> table.holders() == 0);
  }

  /**
   * The session is over, and no server will answer. Returns the answers, to be given outside the
   * lock.
   */
  List<Runnable> giveUp() {
    List<Runnable> answers =
        waiting.values().stream()
            .distinct()
            .map(dirty -> answered(dirty.answer, LegacyFailure.notDone("the gateway ends")))
            .toList();
    waiting.clear();
    return answers;
  }

  /** Whether no JVM holds an object or waits for one. */
  boolean isEmpty() {
    return tables.isEmpty() && waiting.isEmpty();
  }

  private VmIdentifier newVmId() {
    return new VmIdentifier(
        random.nextLong(), random.nextInt(), System.currentTimeMillis(), (short) random.nextInt());
  }
}
