package io.rmigate.gateway.relay;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * The gateway's own connections to one target, and the calls that wait for one. Made by the first
 * call, retires when it has neither. Confined to its loop.
 */
final class InsidePool implements Watched {
  private final Target target;
  private final InsideSettings settings;
  private final RelayLoop loop;
  private final Function<ConnectionListener, ServerConnection> connect;
  private final AtomicInteger connectionsInAll;
  private final Runnable retire;

  private final Deque<InsideCall> waiting = new ArrayDeque<>();
  private long waitingBytes;

  /** The one used last is used next: the others get old and are closed. */
  private final Deque<InsideConnection> idle = new ArrayDeque<>();

  private final Set<InsideConnection> connections = new HashSet<>();
  private boolean dispatching;

  InsidePool(
      Target target,
      InsideSettings settings,
      RelayLoop loop,
      Function<ConnectionListener, ServerConnection> connect,
      AtomicInteger connectionsInAll,
      Runnable retire) {
    this.target = target;
    this.settings = settings;
    this.loop = loop;
    this.connect = connect;
    this.connectionsInAll = connectionsInAll;
    this.retire = retire;
  }

  void add(InsideCall call) {
    if (waiting.size() >= settings.waitingPerTarget()
        || waitingBytes + call.message().length > settings.waitingBytesPerTarget()) {
      call.fail(
          new InsideFailure(
              InsideFailure.Kind.OVERLOADED,
              DeliveryStatus.NOT_SENT,
              Optional.empty(),
              waiting.size() + " calls wait for " + target));
      return;
    }
    loop.watch(this);
    waiting.addLast(call);
    waitingBytes += call.message().length;
    dispatch();
  }

  /** A connection ended before it took a byte of the call, which therefore comes first now. */
  void sendAgain(InsideCall call) {
    waiting.addFirst(call);
    waitingBytes += call.message().length;
    dispatch();
  }

  void onIdle(InsideConnection connection) {
    idle.addLast(connection);
    dispatch();
  }

  void onOver(InsideConnection connection) {
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
        InsideConnection connection = idle.isEmpty() ? open() : idle.removeLast();
        InsideCall call = waiting.removeFirst();
        waitingBytes -= call.message().length;
        connection.begin(call);
      }
    } finally {
      dispatching = false;
    }
  }

  private InsideConnection open() {
    InsideConnection connection = new InsideConnection(this, settings.maxReturnBytes());
    connection.connectBy(connect.apply(connection));
    connections.add(connection);
    connectionsInAll.incrementAndGet();
    return connection;
  }

  @Override
  public boolean checkDeadline(long now) {
    List.copyOf(connections)
        .forEach(connection -> connection.checkDeadline(now, settings.idle().toNanos()));
    for (Iterator<InsideCall> calls = waiting.iterator(); calls.hasNext(); ) {
      InsideCall call = calls.next();
      if (now - call.deadlineNanos() > 0) {
        calls.remove();
        waitingBytes -= call.message().length;
        call.fail(
            new InsideFailure(
                InsideFailure.Kind.LATE,
                DeliveryStatus.NOT_SENT,
                Optional.empty(),
                "no free connection to " + target + " in time"));
      }
    }
    boolean needed = !connections.isEmpty() || !waiting.isEmpty();
    if (!needed) {
      retire.run();
    }
    return needed;
  }
}
