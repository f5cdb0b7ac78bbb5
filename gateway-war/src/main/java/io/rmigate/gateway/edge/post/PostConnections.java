package io.rmigate.gateway.edge.post;

import io.rmigate.gateway.limit.DeadlineTimer;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.quota.Permit;
import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Shares;
import io.rmigate.gateway.session.SessionRegistry;
import io.rmigate.gateway.session.TunnelSession;
import io.rmigate.protocol.AddressOwner;
import io.rmigate.protocol.post.ConnectionId;
import io.rmigate.protocol.post.Post;
import io.rmigate.protocol.post.PostAnswer;
import io.rmigate.protocol.post.PostRequest;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections made of POSTs, each bound to the principal that has opened it. What ends one is
 * its session, which gives up a link that is silent. Thread-safe. Has one timer thread, from the
 * first connection on.
 */
public final class PostConnections implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PostConnections.class);

  /** So long a connection that is closed says so to who asks for it. */
  private static final Duration LINGER = Duration.ofSeconds(10);

  /** Bytes of requests that have come, or are coming, and have not been taken. */
  static final Quota WAITING_BYTES = Quota.half(64 << 20);

  /**
   * How many connections there may be.
   *
   * @param hold the longest a request waits for something to answer it with
   * @param most connections in all; no address has more than three times as many as are left
   * @param mostOfPrincipal of them
   */
  public record Limits(Duration hold, int most, int mostOfPrincipal) {}

  /** The last answer to an agent that has given a connection up. */
  private static final byte[] GIVEN_UP =
      new PostAnswer(Post.GIVEN_UP, false, true, new byte[0]).encode();

  private final SessionRegistry registry;
  private final Limits limits;
  private final LongSupplier clock;
  private final ConcurrentMap<ConnectionId, PostConnection> connections = new ConcurrentHashMap<>();
  private final Set<PostBody> coming = ConcurrentHashMap.newKeySet();
  private final DeadlineTimer ticker = new DeadlineTimer("rmigate-posts", this::tick);
  private final ReentrantLock lock = new ReentrantLock();

  /** Connections. */
  private final Shares<AddressOwner> byAddress = new Shares<>();

  /** Connections, by name and scheme. */
  private final Shares<Principal> byPrincipal = new Shares<>();

  /** Bodies that are coming. */
  private final Shares<Principal> bodies = new Shares<>();

  private final Shares<Principal> waitingBytes = new Shares<>();

  /** Guarded by {@code lock}. */
  private boolean stopped;

  /** Starts nothing yet. */
  public PostConnections(SessionRegistry registry, Limits limits) {
    this(registry, limits, System::nanoTime);
  }

  PostConnections(SessionRegistry registry, Limits limits, LongSupplier clock) {
    this.registry = registry;
    this.limits = limits;
    this.clock = clock;
  }

  /** A request has come. Does not block. */
  void on(PostRequest request, Principal principal, PostPeer peer, PostReply reply) {
    PostConnection connection = connections.get(request.connection());
    if (connection == null) {
      if (request.number() != 1) {
        reply.refuse(PostRefusal.GONE);
        return;
      }
      connection = open(request.connection(), principal, peer, reply);
      if (connection == null) {
        return;
      }
    }
    if (!connection.principal().isSameAs(principal)) {
      reply.refuse(PostRefusal.OTHERS);
    } else if (request.givesUp()) {
      connection.giveUp();
      forget(request.connection(), connection);
      reply.answer(GIVEN_UP);
    } else {
      connection.on(request, reply);
    }
  }

  /** Null when it has been refused. */
  private PostConnection open(
      ConnectionId id, Principal principal, PostPeer peer, PostReply reply) {
    PostRefusal refusal;
    lock.lock();
    try {
      PostConnection meanwhile = connections.get(id);
      if (meanwhile != null) {
        return meanwhile;
      }
      Principal holder = holder(principal);
      refusal = refusal(holder, peer.owner());
      if (refusal == null) {
        Permit<Principal> waiting = waitingBytes.permit(holder);
        PostConnection opened =
            new PostConnection(principal, peer, waiting, limits.hold().toNanos(), clock);
        TunnelSession session = registry.begin(opened, principal);
        opened.begin(session::onBytes, session::onTransportClosed);
        byPrincipal.takeAnyway(holder, 1);
        byAddress.takeAnyway(peer.owner(), 1);
        connections.put(id, opened);
        ticker.start();
        return opened;
      }
    } finally {
      lock.unlock();
    }
    reply.refuse(refusal);
    return null;
  }

  private PostRefusal refusal(Principal holder, AddressOwner owner) {
    if (stopped || !byAddress.permits(owner, 1, Quota.threeQuarters(limits.most()))) {
      return PostRefusal.FULL;
    }
    return byPrincipal.of(holder) >= limits.mostOfPrincipal() ? PostRefusal.TOO_MANY : null;
  }

  /** The principal, whenever its proof ends. */
  private static Principal holder(Principal principal) {
    return new Principal(principal.name(), principal.scheme());
  }

  /**
   * A body is coming; it is asked now and then whether it may go on.
   *
   * @return why it may not even begin; null when it may
   */
  PostRefusal begin(PostBody body, Principal principal) {
    lock.lock();
    try {
      if (stopped) {
        return PostRefusal.FULL;
      }
      Principal holder = holder(principal);
      Permit<Principal> place = bodies.permit(holder);
      if (!place.take(1, Quota.ofEach((long) limits.mostOfPrincipal() * Post.MAX_UNANSWERED))) {
        return PostRefusal.TOO_MANY;
      }
      body.begin(place, waitingBytes.permit(holder), clock);
      coming.add(body);
      ticker.start();
      return null;
    } finally {
      lock.unlock();
    }
  }

  /** The body has come, or never will. */
  void end(PostBody body) {
    lock.lock();
    try {
      if (coming.remove(body)) {
        body.place().close();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Looks at the clock. By the timer. */
  void tick() {
    connections.forEach(
        (id, connection) -> {
          attempt(connection::tick);
          if (connection.isForgotten(LINGER.toNanos())) {
            attempt(() -> forget(id, connection));
          }
        });
    coming.forEach(body -> attempt(body::tick));
  }

  /** A failure here would end the timer, and with it all that watches. */
  private static void attempt(Runnable part) {
    try {
      part.run();
    } catch (RuntimeException | Error unexpected) {
      LOG.error("unexpected failure of a POST connection", unexpected);
    }
  }

  private void forget(ConnectionId id, PostConnection connection) {
    if (connections.remove(id, connection)) {
      byPrincipal.release(holder(connection.principal()), 1);
      byAddress.release(connection.from().owner(), 1);
      connection.end();
    }
  }

  /** How many there are, those included that have just been closed. */
  int count() {
    return connections.size();
  }

  /** Ends what is left; the sessions have said their goodbyes. */
  @Override
  public void close() {
    lock.lock();
    try {
      stopped = true;
      ticker.close();
    } finally {
      lock.unlock();
    }
    connections.forEach((id, connection) -> attempt(() -> forget(id, connection)));
    coming.forEach(body -> attempt(body::stop));
  }
}
