package io.rmigate.gateway.relay.own;

import io.rmigate.gateway.relay.Relay;
import io.rmigate.gateway.relay.RelayLoop;
import io.rmigate.gateway.relay.ServerConnection;
import io.rmigate.gateway.relay.address.Target;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * The gateway's own calls to servers, on behalf of no stream, such as leases and watched bindings.
 * All sessions share these connections, because the gateway makes every message itself and sends no
 * bytes of an agent over them.
 *
 * <pre>
 *   call, send ──► loop of the target ──► {@link OwnPool} ──► {@link OwnConnection} ──► {@link ServerConnection}
 * </pre>
 *
 * One message at a time per connection; a call that finds none free waits, within bounds that are
 * shared fairly ({@link WaitingCalls}). A message is written again, over another connection, only
 * while no byte of it has been written.
 *
 * <p>Thread-safe and never blocks. All calls to one target are confined to one relay loop, which
 * also calls the listeners, never from within {@link #call}. Ends with its {@link Relay}.
 */
public final class OwnCalls {

  /** Kinds of results of a normal Return. An exceptional one always holds an object. */
  public enum Result {
    /** Nothing, or a primitive: the Return is one block. */
    NO_OBJECT,
    /** An object or null. */
    OBJECT
  }

  private final Relay relay;
  private final OwnCallSettings settings;

  /** Each map is confined to its loop. */
  private final Map<RelayLoop, Map<Target, OwnPool>> pools;

  private final AtomicInteger connections = new AtomicInteger();

  /** Makes calls on the loops of {@code relay}; opens nothing yet. */
  public OwnCalls(Relay relay, OwnCallSettings settings) {
    this.relay = relay;
    this.settings = settings;
    this.pools =
        relay.loops().stream()
            .collect(Collectors.toUnmodifiableMap(loop -> loop, loop -> new HashMap<>()));
  }

  /**
   * Calls a server.
   *
   * @param sharer whose share of the calls that wait for one target the call takes
   * @param payer whose share of name lookups the call takes
   * @param call a whole Call, from its {@code 50}; belongs to this component from here on
   * @param result what tells the end of the Return
   * @param within from now to the whole Return; noticed a little later
   */
  public void call(
      Object sharer,
      Object payer,
      Target target,
      byte[] call,
      Result result,
      Duration within,
      OwnCallListener listener) {
    long deadline = System.nanoTime() + within.toNanos();
    add(target, new OwnCall(sharer, payer, call, result, deadline, listener));
  }

  /**
   * Sends a message that has no answer (DgcAck), once and without a word on how it went.
   *
   * @param sharer as for a call
   * @param payer as for a call
   * @param message belongs to this component from here on
   * @param whenOver called as listeners are, once it is written or never will be
   */
  public void send(
      Object sharer,
      Object payer,
      Target target,
      byte[] message,
      Duration within,
      Runnable whenOver) {
    long deadline = System.nanoTime() + within.toNanos();
    add(target, OwnCall.oneWay(sharer, payer, message, deadline, whenOver));
  }

  private void add(Target target, OwnCall call) {
    RelayLoop loop = relay.loopFor(target);
    loop.execute(() -> pool(loop, target).add(call));
  }

  private OwnPool pool(RelayLoop loop, Target target) {
    Map<Target, OwnPool> here = pools.get(loop);
    return here.computeIfAbsent(
        target,
        missing ->
            new OwnPool(
                target,
                settings,
                loop,
                (payer, listener) ->
                    new ServerConnection(
                        relay, loop, target, ServerConnection.Protocol.STREAM, payer, listener),
                connections,
                () -> here.remove(target)));
  }

  /** Connections there are, over all targets. */
  public int connections() {
    return connections.get();
  }
}
