package io.rmigate.gateway.lease;

import io.rmigate.gateway.relay.DeliveryStatus;
import io.rmigate.gateway.relay.InsideCallListener;
import io.rmigate.gateway.relay.InsideFailure;
import io.rmigate.gateway.relay.Target;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.DgcCall;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.LeaseReturn;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.Leased;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one session holds at one endpoint. One call at a time: a server orders dirty and clean of an
 * object by their numbers, and a clean whose dirty is still on its way would be lost.
 *
 * <pre>
 *             wanted or owed                       neither
 *   NOT_HELD ── dirty ──► HELD ─────────────────── clean ──► forgotten
 *       ▲                  │ failed call, term over            ▲
 *       └── dirty ── IN_DOUBT ───────────────── strong clean ──┘
 * </pre>
 *
 * Guarded by the session's lock; calls are made, and their ends heard, outside it.
 */
final class EndpointLeases {
  private static final Logger LOG = LoggerFactory.getLogger(EndpointLeases.class);

  /** Ids of one call. The JDK's filter takes 10 000; this keeps calls short for servers. */
  static final int MAX_BATCH = 1000;

  /** After so many failures in a row what only waits to be cleaned is left to its lease. */
  static final int MAX_CLEAN_FAILURES = 5;

  /** Between attempts when a lease may run of which it is not known how long it is. */
  private static final Duration PAUSE_FOR_UNKNOWN_TERM = Duration.ofSeconds(1);

  /** What we ask for; servers grant what they have been told to. */
  private static final long ASKED_MILLIS = Duration.ofMinutes(10).toMillis();

  /** A call that is under way. */
  private record Flight(boolean dirty, List<HeldObject> objects, long fromNanos, long fromMillis) {}

  private final SessionLeases session;
  private final EndpointId endpoint;
  private final Target target;

  private final Map<ObjIdentifier, HeldObject> objects = new HashMap<>();
  private final Set<HeldObject> toDirty = new LinkedHashSet<>();
  private final Set<HeldObject> toClean = new LinkedHashSet<>();

  /** Objects the agent holds. */
  private int wanted;

  /** Null while no call is under way. */
  private Flight flight;

  /** So that neither dirties nor cleans can keep the others waiting for ever. */
  private boolean cleansTurn;

  /** Null until the server has granted something. */
  private LeaseTerm term;

  /** A dirty of unknown outcome may have begun a lease before the server has told its length. */
  private boolean mayHaveGranted;

  private final RetryPause dirtyPause;
  private final RetryPause cleanPause;
  private String lastFailure = "";
  private boolean refusalLogged;
  private LeaseClock.Alarm alarm = () -> {};

  EndpointLeases(SessionLeases session, EndpointId endpoint, Target target) {
    this.session = session;
    this.endpoint = endpoint;
    this.target = target;
    this.dirtyPause = new RetryPause(session.clock().nanoTime());
    this.cleanPause = new RetryPause(session.clock().nanoTime());
  }

  /** Where the server was reached when the first object was declared. */
  Target target() {
    return target;
  }

  boolean knows(ObjIdentifier id) {
    return objects.containsKey(id);
  }

  boolean isEmpty() {
    return objects.isEmpty() && flight == null;
  }

  int size() {
    return objects.size();
  }

  /**
   * The agent holds {@code id}.
   *
   * @param number of the DIRTY, for the barrier
   * @param ask who wants to know; null for nobody
   */
  void want(ObjIdentifier id, long number, LeaseAsk ask) {
    HeldObject object = objects.get(id);
    if (object == null) {
      object = new HeldObject(id);
      objects.put(id, object);
      session.countObjects(1);
    }
    if (!object.wanted) {
      object.wanted = true;
      wanted++;
    }
    boolean cleaning = object.inFlight && !flight.dirty();
    if (object.known != HeldObject.Known.HELD || cleaning || termMayBeOver()) {
      object.owed = true;
      if (object.awaitedBy == 0) {
        object.awaitedBy = number;
        session.barrier().hold(number);
      }
      if (ask != null) {
        object.addAsk(ask);
      }
      dirtyPause.cutShort(session.clock().nanoTime()); // its client has just heard of the server
    }
    place(object);
  }

  /** The agent does not hold {@code id} any more. */
  void drop(ObjIdentifier id) {
    HeldObject object = objects.get(id);
    if (object != null && object.wanted) {
      object.wanted = false;
      wanted--;
      place(object);
    }
  }

  /** The agent holds nothing any more. */
  void dropAll() {
    for (HeldObject object : List.copyOf(objects.values())) {
      drop(object.id);
    }
  }

  /** No call and no alarm from here on. */
  void abandon() {
    alarm.cancel();
    session.countObjects(-objects.size());
    objects.clear();
    toDirty.clear();
    toClean.clear();
    wanted = 0;
  }

  private boolean termMayBeOver() {
    return term == null || term.mayBeOver(session.clock());
  }

  /** Puts an object where its state says that it belongs. */
  private void place(HeldObject object) {
    toDirty.remove(object);
    toClean.remove(object);
    if (object.inFlight) {
      return;
    }
    if (object.wanted || object.owed) {
      if (object.owed || object.known != HeldObject.Known.HELD) {
        toDirty.add(object);
      }
    } else if (object.known != HeldObject.Known.NOT_HELD) {
      toClean.add(object);
    } else if (objects.remove(object.id) != null) {
      session.countObjects(-1);
    }
  }

  /** Makes the call that is due, if any, and sees to being woken for the next. */
  void proceed() {
    if (flight != null) {
      return; // its end proceeds
    }
    alarm.cancel();
    alarm = () -> {};
    if (term != null && wanted > 0 && termMayBeOver()) {
      doubtAll();
    }
    long now = session.clock().nanoTime();
    boolean dirtyDue =
        !toDirty.isEmpty() || (wanted > 0 && term != null && term.isOverdue(session.clock()));
    boolean dirtyReady = dirtyDue && dirtyPause.isOver(now);
    boolean cleanReady = !toClean.isEmpty() && cleanPause.isOver(now);
    if (dirtyReady && !(cleansTurn && cleanReady)) {
      begin(true, first(toDirty, object -> true));
    } else if (cleanReady) {
      HeldObject.Known known = toClean.iterator().next().known;
      begin(false, first(toClean, object -> object.known == known));
    } else {
      wakeForTheNext(now, dirtyDue);
    }
  }

  private void wakeForTheNext(long now, boolean dirtyDue) {
    LongStream.Builder times = LongStream.builder();
    if (dirtyDue) {
      times.add(dirtyPause.untilNanos() - now);
    } else if (wanted > 0 && term != null) {
      times.add(term.renewAtNanos() - now);
    }
    if (!toClean.isEmpty()) {
      times.add(cleanPause.untilNanos() - now);
    }
    times.build().min().ifPresent(in -> alarm = session.clock().at(now + in, this::onAlarm));
  }

  private void onAlarm() {
    session.run(this::proceed);
  }

  private static List<HeldObject> first(Set<HeldObject> of, Predicate<HeldObject> which) {
    return of.stream().filter(which).limit(MAX_BATCH).toList();
  }

  private void begin(boolean dirty, List<HeldObject> batch) {
    Flight begun =
        new Flight(dirty, batch, session.clock().nanoTime(), session.clock().wallMillis());
    flight = begun;
    for (HeldObject object : batch) {
      object.inFlight = true;
      place(object);
    }
    cleansTurn = dirty;
    ObjIdentifier any = (batch.isEmpty() ? objects.values().iterator().next() : batch.get(0)).id;
    Optional<Target> to = session.reach(endpoint, any);
    if (to.isEmpty()) {
      refused();
      end(begun, Leased.Outcome.REFUSED, DeliveryStatus.NOT_SENT, "not permitted");
      return;
    }
    refusalLogged = false;
    List<ObjIdentifier> ids = batch.stream().map(object -> object.id).toList();
    DgcCall call =
        dirty
            ? new DgcCall.Dirty(
                ids, session.nextSequence(), Optional.of(session.vmId()), ASKED_MILLIS)
            : new DgcCall.Clean(
                ids,
                session.nextSequence(),
                session.vmId(),
                batch.get(0).known == HeldObject.Known.IN_DOUBT);
    session.meters().leaseCall(dirty);
    session.later(() -> session.servers().call(to.get(), call, new End(begun)));
  }

  /** Hears how a call went, on a relay loop. */
  private final class End implements InsideCallListener {
    private final Flight ended;

    End(Flight ended) {
      this.ended = ended;
    }

    @Override
    public void onReturn(byte[] message) {
      session.run(() -> returned(ended, message));
    }

    @Override
    public void onFailure(InsideFailure failure) {
      session.run(
          () -> {
            if (failure.kind() == InsideFailure.Kind.OVERLOADED) {
              overloaded(ended);
            } else {
              mayHaveGranted |=
                  ended.dirty() && failure.delivery() == DeliveryStatus.POSSIBLY_DELIVERED;
              end(ended, Leased.Outcome.FAILED, failure.delivery(), failure.text());
            }
          });
    }
  }

  private void returned(Flight ended, byte[] message) {
    boolean lapsed = termMayBeOver(); // perhaps before the call arrived there
    try {
      if (ended.dirty()) {
        long granted = LeaseReturn.decode(message, 0, message.length).durationMillis();
        term = LeaseTerm.of(ended.fromNanos(), ended.fromMillis(), granted);
      } else {
        LeaseReturn.expectNothing(message, 0, message.length);
      }
    } catch (ProtocolViolationException exceptional) {
      end(
          ended,
          Leased.Outcome.FAILED,
          DeliveryStatus.POSSIBLY_DELIVERED,
          "the server answered with an exception");
      return;
    }
    flight = null;
    pause(ended).succeeded(session.clock().nanoTime());
    lastFailure = "";
    if (lapsed) {
      doubtAll();
    }
    for (HeldObject object : ended.objects()) {
      object.inFlight = false;
      object.known = ended.dirty() ? HeldObject.Known.HELD : HeldObject.Known.NOT_HELD;
      if (ended.dirty()) {
        object.owed = false;
        release(object, Leased.Outcome.HELD, "");
      }
      place(object);
    }
    proceed();
  }

  /** Says nothing of the server: nobody is told, and it is tried again. */
  private void overloaded(Flight ended) {
    flight = null;
    for (HeldObject object : ended.objects()) {
      object.inFlight = false;
      place(object);
    }
    backOff(ended, "too many calls wait for this server");
    proceed();
  }

  private void end(Flight ended, Leased.Outcome outcome, DeliveryStatus delivery, String why) {
    flight = null;
    session.meters().leaseCallFailed();
    for (HeldObject object : ended.objects()) {
      object.inFlight = false;
      if (delivery == DeliveryStatus.POSSIBLY_DELIVERED) {
        object.known = HeldObject.Known.IN_DOUBT;
      }
      if (ended.dirty()) {
        object.owed = false;
        release(object, outcome, why);
      }
      place(object);
    }
    doubtAll(); // the server may be another one when it answers again
    backOff(ended, why);
    if (wanted == 0 && cleanPause.failures() > MAX_CLEAN_FAILURES) {
      LOG.debug("{} at {}: left to the lease: {} objects", session, endpoint, toClean.size());
      for (HeldObject object : List.copyOf(toClean)) {
        object.known = HeldObject.Known.NOT_HELD;
        place(object);
      }
    }
    proceed();
  }

  private void backOff(Flight ended, String why) {
    lastFailure = why;
    pause(ended)
        .failed(
            session.clock().nanoTime(), ended.dirty() ? longestDirtyPause() : RetryPause.LONGEST);
    LOG.debug("{} at {}: {}", session, endpoint, why);
  }

  private RetryPause pause(Flight of) {
    return of.dirty() ? dirtyPause : cleanPause;
  }

  /**
   * Short enough for several attempts before a lease that may be running is over. To a server that
   * answers that makes twice as many calls as renewals do.
   */
  private Duration longestDirtyPause() {
    if (term != null) {
      Duration fraction = term.granted().dividedBy(6);
      return fraction.compareTo(RetryPause.LONGEST) < 0 ? fraction : RetryPause.LONGEST;
    }
    return mayHaveGranted ? PAUSE_FOR_UNKNOWN_TERM : RetryPause.LONGEST;
  }

  private void doubtAll() {
    for (HeldObject object : List.copyOf(objects.values())) {
      if (object.known == HeldObject.Known.HELD) {
        object.known = HeldObject.Known.IN_DOUBT;
        place(object);
      }
    }
  }

  private void refused() {
    session.meters().refused("lease-target");
    if (!refusalLogged) {
      refusalLogged = true;
      session.logRefused(endpoint);
    }
  }

  private void release(HeldObject object, Leased.Outcome outcome, String text) {
    if (object.awaitedBy != 0) {
      session.barrier().release(object.awaitedBy);
      object.awaitedBy = 0;
    }
    for (LeaseAsk ask : object.takeAsks()) {
      if (outcome != Leased.Outcome.HELD) {
        ask.fail(outcome, text);
      }
      if (--ask.awaited == 0) {
        session.answer(ask);
      }
    }
  }

  LeaseView.Row view() {
    int held = 0;
    int doubtful = 0;
    for (HeldObject object : objects.values()) {
      if (object.known == HeldObject.Known.HELD) {
        held++;
      } else if (object.known == HeldObject.Known.IN_DOUBT) {
        doubtful++;
      }
    }
    long renewal = -1;
    if (term != null && wanted > 0) {
      long nanos = term.renewAtNanos() - session.clock().nanoTime();
      renewal = Math.max(0, Duration.ofNanos(nanos).toMillis());
    }
    return new LeaseView.Row(
        endpoint.toString(),
        held,
        doubtful,
        toDirty.size() + toClean.size() + (flight == null ? 0 : flight.objects().size()),
        term == null ? 0 : term.granted().toMillis(),
        renewal,
        dirtyPause.failures() + cleanPause.failures(),
        lastFailure);
  }
}
