package io.rmigate.gateway.relay.own;

import io.rmigate.gateway.relay.ConnectionListener;
import io.rmigate.gateway.relay.Containment;
import io.rmigate.gateway.relay.DeadlineCheck;
import io.rmigate.gateway.relay.RelayLoop;
import io.rmigate.gateway.relay.ServerConnection;
import io.rmigate.gateway.relay.address.Target;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;

/**
 * The gateway's own connections to one target, and the calls that wait for one. Made by the first
 * call, retires when it has neither. Confined to its loop.
 */
final class OwnPool implements DeadlineCheck {
  private final Target target;
  private final OwnCallSettings settings;
  private final RelayLoop loop;
  private final BiFunction<Object, ConnectionListener, ServerConnection> connect;
  private final AtomicInteger connectionsInAll;
  private final Runnable retire;

  private final WaitingCalls waiting;

  /** Idle connections. The latest used is used next, so that the others get old and are closed. */
  private final Deque<OwnConnection> idle = new ArrayDeque<>();

  private final Set<OwnConnection> connections = new HashSet<>();
  private boolean dispatching;

  OwnPool(
      Target target,
      OwnCallSettings settings,
      RelayLoop loop,
      BiFunction<Object, ConnectionListener, ServerConnection> connect,
      AtomicInteger connectionsInAll,
      Runnable retire) {
    this.target = target;
    this.settings = settings;
    this.loop = loop;
    this.connect = connect;
    this.connectionsInAll = connectionsInAll;
    this.retire = retire;
    this.waiting = new WaitingCalls(settings.waitingPerTarget(), settings.waitingBytesPerTarget());
  }

  void add(OwnCall call) {
    loop.watch(this);
    List<OwnCall> refused = waiting.add(call);
    dispatch();
    for (OwnCall one : refused) {
      one.fail(
          unsent(OwnCallFailure.Kind.OVERLOADED, waiting.size() + " calls wait for " + target));
    }
  }

  /** A connection ended before it took a byte of the call, which therefore comes first now. */
  void sendAgain(OwnCall call) {
    waiting.putBack(call);
    dispatch();
  }

  void onIdle(OwnConnection connection) {
    idle.addLast(connection);
    dispatch();
  }

  void onOver(OwnConnection connection) {
    idle.remove(connection);
    if (connections.remove(connection)) {
      connectionsInAll.decrementAndGet();
    }
    dispatch();
  }

  /** Gives waiting calls to connections; what these say meanwhile does not begin a second round. */
  private void dispatch() {
    if (dispatching) {
      return;
    }
    dispatching = true;
    try {
      while (!waiting.isEmpty()
          && (!idle.isEmpty() || connections.size() < settings.connectionsPerTarget())) {
        OwnCall call = waiting.take();
        OwnConnection connection = idle.isEmpty() ? open(call.payer()) : idle.removeLast();
        try {
          connection.begin(call);
        } catch (Throwable unexpected) {
          Containment.contain(connection, unexpected, connection::onBroken);
        }
      }
    } finally {
      dispatching = false;
    }
  }

  private OwnConnection open(Object payer) {
    OwnConnection connection = new OwnConnection(this, settings.maxReturnBytes());
    connection.connectBy(connect.apply(payer, connection));
    connections.add(connection);
    connectionsInAll.incrementAndGet();
    return connection;
  }

  @Override
  public boolean checkDeadline(long now) {
    List.copyOf(connections)
        .forEach(connection -> connection.checkDeadline(now, settings.idle().toNanos()));
    for (OwnCall late : waiting.takeLate(now)) {
      late.fail(unsent(OwnCallFailure.Kind.LATE, "no free connection to " + target + " in time"));
    }
    boolean needed = !connections.isEmpty() || !waiting.isEmpty();
    if (!needed) {
      retire.run();
    }
    return needed;
  }

  @Override
  public void breakDown() {
    dispatching = true; // for good: the next call gets another pool
    retire.run();
    List.copyOf(connections).forEach(OwnConnection::onBroken);
    for (OwnCall call : waiting.takeAll()) {
      call.fail(unsent(OwnCallFailure.Kind.CLOSED, "the gateway has failed"));
    }
  }

  private static OwnCallFailure unsent(OwnCallFailure.Kind kind, String text) {
    return new OwnCallFailure(kind, DeliveryStatus.NOT_SENT, Optional.empty(), text);
  }

  @Override
  public String toString() {
    return "calls to " + target;
  }
}
