package io.rmigate.gateway.legacy;

import io.rmigate.gateway.limit.Caller;
import io.rmigate.gateway.limit.DeadlineTimer;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.quota.Permit;
import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Shares;
import io.rmigate.gateway.session.SessionRegistry;
import io.rmigate.gateway.stream.HeldPieces;
import io.rmigate.protocol.AddressOwner;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.Jrmp;
import java.net.InetAddress;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All old clients: takes their requests, one message each, and knows whose session each belongs to.
 * Thread-safe. Has one timer thread, from the first request on.
 *
 * <p>Bounded, for each address ({@link Shares}) and in all: requests in progress, and the bytes of
 * their bodies.
 */
public final class LegacyClients implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LegacyClients.class);

  /** Bytes of all requests in progress. */
  private static final Quota BODY_BYTES = Quota.threeQuarters(64 << 20);

  private static final byte[] PING_ACK = {Jrmp.PING_ACK};

  /**
   * The body that RMI servers send for a message without an answer; some clients take an empty body
   * for no answer at all.
   */
  private static final byte[] NO_ANSWER = {0};

  /** A principal at one address. */
  private record OldCaller(Principal principal, AddressOwner owner) {}

  /** Looks at a clock. */
  private interface Watched {
    void tick();
  }

  private final SessionRegistry registry;
  private final Supplier<LegacySettings> settings;
  private final LegacyMeters meters;
  private final ConcurrentMap<OldCaller, LegacyClient> clients = new ConcurrentHashMap<>();
  private final Set<Watched> watched = ConcurrentHashMap.newKeySet();
  private final DeadlineTimer ticker = new DeadlineTimer("rmigate-legacy", this::tick);
  private final ReentrantLock lock = new ReentrantLock();

  private final Shares<AddressOwner> requests = new Shares<>();
  private final Shares<AddressOwner> bytes = new Shares<>();

  /** Guarded by {@code lock}. */
  private boolean stopped;

  /**
   * Starts nothing yet.
   *
   * @param settings asked at each request
   */
  public LegacyClients(
      SessionRegistry registry, Supplier<LegacySettings> settings, LegacyMeters meters) {
    this.registry = registry;
    this.settings = settings;
    this.meters = meters;
  }

  /** The settings in force now. */
  public LegacySettings settings() {
    return settings.get();
  }

  /** Counts what was refused before it came here. */
  public void refused(String reason) {
    meters.refused(reason);
  }

  /** One request, from when its head has come until it is answered: its part of the bounds. */
  public final class Visit {
    private final Permit<AddressOwner> request;
    private final Permit<AddressOwner> body;

    /** The task of this visit that looks at the clock; null before {@link #watch}. */
    private volatile Watched clock;

    private Visit(Permit<AddressOwner> request, Permit<AddressOwner> body) {
      this.request = request;
      this.body = body;
    }

    /** Runs {@code tick} four times a second, until the visit ends. To be called once. */
    public void watch(Runnable tick) {
      clock = tick::run;
      watched.add(clock);
    }

    /** Counts bytes of its body in; when there is no room for them they are not. */
    public boolean charge(int more) {
      return body.take(more, BODY_BYTES);
    }

    /** The request is over. Idempotent. */
    public void end() {
      Watched watching = clock;
      if (watching != null) {
        watched.remove(watching);
      }
      request.close();
      body.close();
    }
  }

  /**
   * A request begins.
   *
   * @return null when there is no room for it
   */
  public Visit enter(InetAddress host) {
    AddressOwner owner = AddressOwner.of(host);
    lock.lock();
    try {
      Permit<AddressOwner> request = requests.permit(owner);
      if (stopped || !request.take(1, Quota.threeQuarters(settings.get().maxRequests()))) {
        return null;
      }
      ticker.start();
      return new Visit(request, bytes.permit(owner));
    } finally {
      lock.unlock();
    }
  }

  /**
   * A request has come, whole. Does not block.
   *
   * @param target where its message is to go
   * @param peer address and port it comes from, for people
   */
  public void take(
      HeldPieces body,
      Principal principal,
      InetAddress host,
      String peer,
      EndpointId target,
      LegacyAnswer answer) {
    LegacyMessage message;
    try {
      message = LegacyMessage.decode(body);
    } catch (ProtocolViolationException malformed) {
      Object caller = Caller.of(principal, peer).toldAs();
      String reason = malformed.getMessage();
      registry
          .lines()
          .warn(LOG, caller, "a malformed POST of {} from {}: {}", principal, peer, reason);
      meters.refused(LegacyRefusal.MALFORMED.rule());
      answer.refuse(LegacyRefusal.MALFORMED);
      return;
    }
    meters.legacyRequest(message.kind());
    if (message instanceof LegacyMessage.Probe) {
      answer.whole(NO_ANSWER);
    } else if (message instanceof LegacyMessage.Ping) {
      answer.whole(PING_ACK);
    } else {
      LegacyClient client = client(principal, host, peer);
      if (client == null) {
        answer.refuse(LegacyRefusal.FULL);
      } else {
        pass(message, client, target, answer);
      }
    }
  }

  private static void pass(
      LegacyMessage message, LegacyClient client, EndpointId target, LegacyAnswer answer) {
    if (message instanceof LegacyMessage.Call call) {
      client.call(target, call.bytes(), answer);
    } else if (message instanceof LegacyMessage.Collector collector) {
      client.collect(target, collector.call(), answer);
    } else if (message instanceof LegacyMessage.Acknowledgement acknowledgement) {
      client.acknowledge(target, acknowledgement.uid());
      answer.whole(NO_ANSWER);
    } else {
      throw new AssertionError(message);
    }
  }

  /** Its session, which knows of this request; null when there is none to be had. */
  private LegacyClient client(Principal principal, InetAddress host, String peer) {
    OldCaller caller = new OldCaller(principal.withoutProofs(), AddressOwner.of(host));
    LegacyClient known = clients.get(caller);
    if (known != null && known.enter()) {
      return known;
    }
    lock.lock(); // so that an address has one session, even when requests come at once
    try {
      known = clients.get(caller);
      if (known != null && known.enter()) {
        return known;
      }
      LegacyClient fresh = new LegacyClient(settings, host, peer);
      if (stopped || !fresh.begin(registry.beginSingleOps(fresh, principal)::onFrames)) {
        meters.refused(LegacyRefusal.FULL.rule());
        return null;
      }
      clients.put(caller, fresh);
      return fresh.enter() ? fresh : null;
    } finally {
      lock.unlock();
    }
  }

  private void tick() {
    long now = System.nanoTime();
    for (Map.Entry<OldCaller, LegacyClient> each : clients.entrySet()) {
      attempt(() -> each.getValue().tick(now));
      if (each.getValue().isOver()) {
        clients.remove(each.getKey(), each.getValue());
      }
    }
    watched.forEach(one -> attempt(one::tick));
  }

  /** A failure here would end the timer, and with it all that watches. */
  private static void attempt(Runnable part) {
    try {
      part.run();
    } catch (RuntimeException | Error unexpected) {
      LOG.error("old clients: unexpected failure", unexpected);
    }
  }

  /** The number of known callers. */
  int count() {
    return clients.size();
  }

  /** The sessions have said their goodbyes: nothing is in progress any more. */
  @Override
  public void close() {
    lock.lock();
    try {
      stopped = true;
      ticker.close();
    } finally {
      lock.unlock();
    }
  }
}
