package io.rmigate.gateway.lease;

import io.rmigate.gateway.relay.address.Target;
import io.rmigate.gateway.relay.own.OwnCallFailure;
import io.rmigate.gateway.relay.own.OwnCallListener;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.tunnel.Leased;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The objects that one session holds at one server. One call at a time: a server orders dirty and
 * clean of an object by their numbers, and a clean whose dirty is still on its way would be lost.
 *
 * <p>Which call is due says {@link CallSchedule}, for which objects {@link HeldObjects}; what its
 * end means to an object, {@link HeldObject}.
 *
 * <p>Guarded by the session's lock; calls are made, and their ends heard, outside it.
 */
final class EndpointLeases {
  private static final Logger LOG = LoggerFactory.getLogger(EndpointLeases.class);

  /**
   * After this number of failures in a row, objects that only wait for a clean are left to their
   * leases.
   */
  static final int MAX_CLEAN_FAILURES = 5;

  private final SessionLeases session;
  private final EndpointId endpoint;
  private final VmIdentifier vmId;
  private final HeldObjects objects;
  private final CallSchedule schedule;

  /** Where the server is reached. */
  private Target target;

  /** Null while no call is under way. */
  private LeaseCall underWay;

  private String lastFailure = "";
  private LeaseClock.Alarm alarm = () -> {};

  EndpointLeases(SessionLeases session, EndpointId endpoint, Target target, VmIdentifier vmId) {
    this.session = session;
    this.endpoint = endpoint;
    this.target = target;
    this.vmId = vmId;
    this.objects = new HeldObjects(session::forgotObject);
    this.schedule = new CallSchedule(session.clock(), session.callTimeout());
  }

  /** Whether calls to {@code other} reach the same server for sure. */
  boolean isAt(Target other) {
    return mayBeTheServerAt(other)
        && target
            .substitute()
            .map(Target.Substitute::host)
            .equals(other.substitute().map(Target.Substitute::host));
  }

  /** Whether it may be the server that we know by another way. */
  boolean mayBeTheServerAt(Target other) {
    return target.host().equalsIgnoreCase(other.host()) && target.port() == other.port();
  }

  boolean knows(ObjIdentifier id) {
    return objects.knows(id);
  }

  boolean isEmpty() {
    return objects.isEmpty() && underWay == null;
  }

  /**
   * The agent holds {@code id}.
   *
   * @param number of the DIRTY, for the barrier
   * @param ask gets the outcome; null for none
   */
  void want(ObjIdentifier id, long number, PendingAnswer ask) {
    HeldObject owed = objects.want(id, schedule.leaseMayBeOver());
    if (owed == null) {
      return;
    }
    if (owed.await(number)) {
      session.barrier().hold(number);
    }
    if (ask != null) {
      owed.addAsk(ask);
    }
    schedule.cutDirtyPauseShort();
  }

  /** The agent does not hold {@code id} any more. */
  void drop(ObjIdentifier id) {
    objects.drop(id);
  }

  /** The agent holds nothing any more. */
  void dropAll() {
    objects.dropAll();
  }

  /** No call and no alarm from here on. */
  void abandon() {
    alarm.cancel();
    objects.clear();
  }

  /** Makes the call that is due, if any, and sees to being woken for the next. */
  void proceed() {
    if (underWay != null) {
      return; // its end proceeds
    }
    alarm.cancel();
    alarm = () -> {};
    if (objects.anyWanted() && schedule.hasLapsed()) {
      objects.doubtAll();
    }
    schedule.due(objects).ifPresentOrElse(this::begin, this::sleep);
  }

  private void sleep() {
    schedule
        .wakeAtNanos(objects)
        .ifPresent(at -> alarm = session.clock().at(at, () -> session.run(this::proceed)));
  }

  private void begin(LeaseCall.Kind kind) {
    List<HeldObject> batch = objects.begin(kind);
    LeaseCall call =
        new LeaseCall(kind, batch, session.clock().nanoTime(), session.clock().wallMillis());
    underWay = call;
    schedule.begun(kind);
    if (!isPermitted(batch.isEmpty() ? objects.any() : batch.get(0).id)) {
      session.refused(endpoint);
      ended(call, LeaseCall.REFUSED);
      return;
    }
    DgcCall message = message(call);
    Target to = target;
    Duration within = schedule.callTimeout(kind);
    session.meters().leaseCall(kind == LeaseCall.Kind.DIRTY);
    session.later(
        () -> session.servers().call(session.payer(), to, message, within, new Listener(call)));
  }

  /** Whether the server may be called; looks where it is reached now. */
  private boolean isPermitted(ObjIdentifier id) {
    Optional<Target> now = session.routes().target(endpoint, Optional.of(id));
    if (now.isPresent() && isAt(now.get())) {
      target = now.get(); // policy may think differently of its addresses by now
      return true;
    }
    // An object that others hand out too is taken to be there; what we hold is here.
    return session.routes().mayBeAt(endpoint, target);
  }

  private DgcCall message(LeaseCall call) {
    List<ObjIdentifier> ids = call.objects().stream().map(object -> object.id).toList();
    return call.kind() == LeaseCall.Kind.DIRTY
        ? new DgcCall.Dirty(
            ids, session.nextSequence(), Optional.of(vmId), CallSchedule.ASKED.toMillis())
        : new DgcCall.Clean(
            ids, session.nextSequence(), vmId, call.objects().get(0).needsStrongClean());
  }

  /** Hears how a call went, on a relay loop. */
  private final class Listener implements OwnCallListener {
    private final LeaseCall call;

    Listener(LeaseCall call) {
      this.call = call;
    }

    @Override
    public void onReturn(byte[] message) {
      LeaseCall.End how = call.end(message);
      session.run(() -> ended(call, how));
    }

    @Override
    public void onFailure(OwnCallFailure failure) {
      session.run(() -> ended(call, call.end(failure)));
    }
  }

  private void ended(LeaseCall call, LeaseCall.End how) {
    underWay = null;
    if (how instanceof LeaseCall.Failed failure) {
      failed(call, failure);
    } else if (how instanceof LeaseCall.NotTried) {
      notTried(call);
    } else {
      succeeded(call, how);
    }
    proceed();
  }

  private void succeeded(LeaseCall call, LeaseCall.End how) {
    if (schedule.hasLapsed()) { // perhaps before the call arrived there
      objects.doubtAll();
    }
    schedule.succeeded(call, how);
    lastFailure = "";
    for (HeldObject object : call.objects()) {
      object.succeeded();
      if (call.kind() == LeaseCall.Kind.DIRTY) {
        release(object, Leased.Outcome.HELD, "");
      }
      objects.place(object);
    }
  }

  private void notTried(LeaseCall call) {
    lastFailure = "too many calls wait for this server";
    schedule.notTried(call.kind());
    for (HeldObject object : call.objects()) {
      object.notTried();
      objects.place(object);
    }
  }

  private void failed(LeaseCall call, LeaseCall.Failed failure) {
    LOG.debug("{} at {}: {}", session, endpoint, failure.why());
    session.meters().leaseCallFailed();
    lastFailure = failure.why();
    schedule.failed(call.kind(), failure.perhapsGranted());
    for (HeldObject object : call.objects()) {
      object.failed(failure.perhapsExecuted());
      if (call.kind() == LeaseCall.Kind.DIRTY) {
        release(object, failure.outcome(), failure.why());
      }
      objects.place(object);
    }
    objects.doubtAll(); // the server may be another one when it answers again
    if (isOnlyWaitingInVain()) {
      LOG.debug("{} at {}: left to the lease: {} objects", session, endpoint, objects.waiting());
      objects.leaveToTheLease();
    }
  }

  /**
   * Cleans that fail and fail: no use once the lease is over, or is not going to be renewed any
   * more. In a live session it may be, by the next DIRTY, and for objects that are forgotten too.
   */
  private boolean isOnlyWaitingInVain() {
    return !objects.anyWanted()
        && !objects.dirtyWaits()
        && schedule.cleanFailures() > MAX_CLEAN_FAILURES
        && (!session.isLive() || schedule.leaseIsSurelyOver());
  }

  private void release(HeldObject object, Leased.Outcome outcome, String text) {
    long awaiting = object.takeAwaiting();
    if (awaiting != 0) {
      session.barrier().release(awaiting);
    }
    for (PendingAnswer ask : object.takeAsks()) {
      if (outcome != Leased.Outcome.HELD) {
        ask.fail(outcome, text);
      }
      if (--ask.awaited == 0) {
        session.answer(ask);
      }
    }
  }

  LeaseView.Row view() {
    return new LeaseView.Row(
        endpoint.toString(),
        objects.count(HeldObject.Known.HELD),
        objects.count(HeldObject.Known.IN_DOUBT),
        objects.waiting() + (underWay == null ? 0 : underWay.objects().size()),
        schedule.grantedMillis(),
        schedule.renewalInMillis(objects),
        schedule.failures(),
        lastFailure);
  }
}
