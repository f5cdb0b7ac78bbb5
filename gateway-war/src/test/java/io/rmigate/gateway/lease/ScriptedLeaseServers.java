package io.rmigate.gateway.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.relay.address.Target;
import io.rmigate.gateway.relay.own.DeliveryStatus;
import io.rmigate.gateway.relay.own.OwnCallFailure;
import io.rmigate.gateway.relay.own.OwnCallListener;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.jrmp.message.ExceptionalReturn;
import io.rmigate.protocol.jrmp.message.LeaseReturn;
import java.rmi.ServerException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Servers whose every answer the test gives by hand, in the order of the calls. */
final class ScriptedLeaseServers implements LeaseServers {

  /** A call that waits for its answer. */
  record Pending(Target target, DgcCall call, Duration within, OwnCallListener listener) {
    DgcCall.Dirty dirty() {
      assertThat(call).isInstanceOf(DgcCall.Dirty.class);
      return (DgcCall.Dirty) call;
    }

    DgcCall.Clean clean() {
      assertThat(call).isInstanceOf(DgcCall.Clean.class);
      return (DgcCall.Clean) call;
    }

    List<ObjIdentifier> objects() {
      return call.objects();
    }

    void grant(long millis) {
      listener.onReturn(LeaseReturn.encode(dirty().client().orElseThrow(), millis));
    }

    void done() {
      clean();
      listener.onReturn(LeaseReturn.encodeNothing());
    }

    void exception() {
      listener.onReturn(ExceptionalReturn.encode(new ServerException("as scripted")));
    }

    void fail(OwnCallFailure.Kind kind, DeliveryStatus delivery) {
      listener.onFailure(new OwnCallFailure(kind, delivery, Optional.empty(), "as scripted"));
    }
  }

  private final Deque<Pending> pending = new ArrayDeque<>();
  private final List<Target> acknowledged = new ArrayList<>();
  private final List<Runnable> unwritten = new ArrayList<>();

  @Override
  public void call(
      Object payer, Target target, DgcCall call, Duration within, OwnCallListener listener) {
    pending.add(new Pending(target, call, within, listener));
  }

  @Override
  public void acknowledge(
      Object payer, VmIdentifier client, Target target, byte[] uid, Runnable whenOver) {
    acknowledged.add(target);
    unwritten.add(whenOver);
  }

  /** All acknowledgements so far leave the gateway; how many these are. */
  int writeAcknowledgements() {
    List<Runnable> written = List.copyOf(unwritten);
    unwritten.clear();
    written.forEach(Runnable::run);
    return written.size();
  }

  /** The oldest call without an answer. */
  Pending next() {
    assertThat(pending).as("calls under way").isNotEmpty();
    return pending.remove();
  }

  /** The oldest call without an answer, answered with a lease of {@code millis}. */
  Pending next(long millis) {
    Pending call = next();
    call.grant(millis);
    return call;
  }

  int underWay() {
    return pending.size();
  }

  /** Where DgcAcks went so far. */
  List<Target> acknowledged() {
    return acknowledged;
  }
}
