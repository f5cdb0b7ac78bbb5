package io.rmigate.client.mediator;

import io.rmigate.client.config.LeaseMode;
import io.rmigate.client.link.Link;
import io.rmigate.client.link.LinkWait;
import io.rmigate.client.stats.Account;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.DgcCall;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.LeaseReturn;
import io.rmigate.protocol.jrmp.LiveReference;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.Clean;
import io.rmigate.protocol.tunnel.DgcAck;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Leased;
import io.rmigate.protocol.tunnel.ObjectList;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/**
 * Answers the JVM's dirty and clean calls here and tells the gateway, one way, to hold the leases
 * (PROTOCOL.md, section 9; JRMP.md 5.4). Keeps what the JVM holds, so that a new session begins
 * with it.
 *
 * <p>Thread-safe. {@code lock} guards all; frames are queued under it, never written, so that they
 * leave in the order in which the references changed.
 */
public final class Leases {
  /**
   * What the JVM is granted: it renews at half of it, which shows it that there is a link. Finite,
   * since it computes with it (JRMP.md 5.5).
   */
  static final Duration GRANTED = Duration.ofHours(1);

  /** References of the latest Returns; kept in strict mode only. */
  private static final int MAX_RECENT = 10_000;

  private static final byte[] CLEANED = LeaseReturn.encodeNothing();

  /** A dirty that waits for the gateway's answer. Guarded by the lock but for the answer. */
  private static final class Ask {
    private final Link link;
    private final long number;
    private volatile Leased answer;
    private volatile LinkWait wait;

    Ask(Link link, long number) {
      this.link = link;
      this.number = number;
    }
  }

  private final LeaseMode mode;
  private final LinkSource links;
  private final Runnable needsLink;
  private final Account account;

  private final ReentrantLock lock = new ReentrantLock();
  private final HeldReferences held = new HeldReferences();
  private final Map<Long, Ask> asks = new HashMap<>();
  private long lastAsk;

  /** The link that knows all that is held; null while there has been none that takes leases. */
  private Link declared;

  /**
   * Endpoints whose references a gateway held that is gone, while the one in use holds no leases:
   * the JVM's next dirty there fails, upon which it registers all its references anew.
   */
  private final Set<EndpointId> orphaned = new HashSet<>();

  /**
   * Endpoints at which the JVM itself has registered references. It renews that lease itself, for
   * good: a renewal answered here would be missed there.
   */
  private final Set<EndpointId> opaque = new HashSet<>();

  private final Set<ObjIdentifier> recent =
      Collections.newSetFromMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<ObjIdentifier, Boolean> eldest) {
              return size() > MAX_RECENT;
            }
          });

  /**
   * @param needsLink to be run when something is held and there is no link; must not block
   */
  Leases(LeaseMode mode, LinkSource links, Runnable needsLink, Account account) {
    this.mode = mode;
    this.links = links;
    this.needsLink = needsLink;
    this.account = account;
  }

  /** Whether the gateway is to be offered to hold leases. */
  public boolean areOffered() {
    return mode != LeaseMode.OFF;
  }

  /** Whether the references in Returns have to be known. */
  public boolean isStrict() {
    return mode == LeaseMode.STRICT;
  }

  /** How many references the JVM holds. */
  public int held() {
    lock.lock();
    try {
      return held.size();
    } finally {
      lock.unlock();
    }
  }

  // For the conversations.

  /** A Return carries a reference; asked for in strict mode only. */
  public void onReturned(LiveReference reference) {
    lock.lock();
    try {
      recent.add(reference.object());
    } finally {
      lock.unlock();
    }
  }

  /**
   * A whole Call for the collector's ObjID.
   *
   * @param host of the stub, as its endpoint says
   * @return the Return; empty when the Call is to go to its server like any other
   * @throws IOException nobody can be told, or in strict mode the gateway has no lease: the JVM's
   *     dirty must fail, so that its own rules for that apply
   */
  public Optional<byte[]> answer(String host, int port, byte[] call, int length)
      throws IOException {
    if (mode == LeaseMode.OFF) {
      return Optional.empty();
    }
    DgcCall decoded;
    try {
      decoded = DgcCall.decode(call, 0, length).orElse(null);
    } catch (ProtocolViolationException strange) {
      return Optional.empty(); // the gateway and the server will say what they think of it
    }
    EndpointId endpoint = new EndpointId(host, port);
    if (decoded instanceof DgcCall.Dirty dirty && dirty.client().isPresent()) {
      return dirty(endpoint, dirty);
    }
    return decoded instanceof DgcCall.Clean clean ? clean(endpoint, clean) : Optional.empty();
  }

  private Optional<byte[]> dirty(EndpointId endpoint, DgcCall.Dirty dirty) throws IOException {
    links.link(); // has declared all that was held before
    List<Ask> waited = List.of();
    lock.lock();
    try {
      if (orphaned.remove(endpoint)) {
        throw new ConnectException("this gateway holds no leases");
      }
      if (declared == null || opaque.contains(endpoint)) {
        if (!dirty.objects().isEmpty()) {
          opaque.add(endpoint);
        }
        return Optional.empty();
      }
      int before = held.size();
      List<ObjIdentifier> counted = held.dirty(endpoint, dirty.objects(), dirty.sequence());
      account.leasesChanged(held.size() - before);
      if (isStrict() && !recent.containsAll(counted)) {
        waited = declareAndAsk(endpoint, counted);
      } else {
        declare(declared, endpoint, counted);
      }
      if (declared.hasEnded()) {
        needsLink.run(); // it has ended before it could hear of these
      }
    } finally {
      lock.unlock();
    }
    for (Ask ask : waited) {
      await(ask, endpoint);
    }
    account.leaseCallAnswered();
    return Optional.of(LeaseReturn.encode(dirty.client().get(), GRANTED.toMillis()));
  }

  private List<Ask> declareAndAsk(EndpointId endpoint, List<ObjIdentifier> objects) {
    List<Ask> made = new ArrayList<>();
    for (List<ObjIdentifier> part : parts(objects)) {
      Ask ask = new Ask(declared, ++lastAsk);
      asks.put(ask.number, ask);
      made.add(ask);
      declared.tellLater(new Dirty(ask.number, endpoint, part));
    }
    return made;
  }

  /** Not interruptible and without a time-out: the gateway answers, or the link ends. */
  private void await(Ask ask, EndpointId endpoint) throws IOException {
    account.roundTrip();
    LinkWait wait = ask.link.newWait(() -> ask.answer != null);
    ask.wait = wait;
    wait.await(0);
    Leased answer = ask.answer;
    if (answer == null) {
      abandon(ask);
      throw new ConnectException(
          "the link was lost before the gateway held a lease at " + endpoint);
    }
    if (answer.outcome() != Leased.Outcome.HELD) {
      throw new ConnectException("no lease at " + endpoint + ": " + answer.text());
    }
  }

  private void abandon(Ask ask) {
    lock.lock();
    try {
      asks.remove(ask.number);
    } finally {
      lock.unlock();
    }
  }

  private Optional<byte[]> clean(EndpointId endpoint, DgcCall.Clean clean) {
    lock.lock();
    try {
      if (declared == null || opaque.contains(endpoint)) {
        return Optional.empty(); // whatever was held, its server was told itself
      }
      List<ObjIdentifier> counted =
          held.clean(endpoint, clean.objects(), clean.sequence(), clean.strong());
      account.leasesChanged(-counted.size());
      for (List<ObjIdentifier> part : parts(counted)) {
        declared.tellLater(new Clean(endpoint, part));
      }
    } finally {
      lock.unlock();
    }
    account.leaseCallAnswered();
    return Optional.of(CLEANED.clone());
  }

  /**
   * A DgcAck of the JVM. With no link it is lost, which costs the server five minutes of pinning.
   *
   * @param uid where the 14 bytes are that name the Return
   * @return whether the gateway has been told; else it goes to the server like any message
   */
  public boolean acknowledge(String host, int port, byte[] message, int uid) {
    lock.lock();
    try {
      if (declared == null) {
        return false;
      }
      declared.tellLater(
          new DgcAck(
              new EndpointId(host, port), Arrays.copyOfRange(message, uid, uid + Jrmp.UID_BYTES)));
      return true;
    } finally {
      lock.unlock();
    }
  }

  // For the mediator.

  /** A link has been welcomed and nobody else knows it: it begins with all that is held. */
  void declareAll(Link link) {
    lock.lock();
    try {
      if (link.takes(Feature.LEASES)) {
        declared = link;
        held.all().forEach((endpoint, objects) -> declare(link, endpoint, objects));
      } else {
        declared = null;
        account.leasesChanged(-held.size());
        orphaned.addAll(held.forgetAll());
      }
    } finally {
      lock.unlock();
    }
  }

  /** The gateway has answered a dirty. On the thread that reads the link. */
  void onLeased(Leased leased) throws ProtocolViolationException {
    Ask ask;
    lock.lock();
    try {
      ask = asks.remove(leased.number());
    } finally {
      lock.unlock();
    }
    if (ask == null) {
      throw new ProtocolViolationException(
          "expected LEASED for a DIRTY that asks, got number " + leased.number());
    }
    ask.answer = leased;
    wake(ask);
  }

  /** A link has ended: nobody answers there any more. */
  void onEnded(Link link) {
    List<Ask> over;
    lock.lock();
    try {
      over = asks.values().stream().filter(ask -> ask.link == link).toList();
      asks.values().removeAll(over);
    } finally {
      lock.unlock();
    }
    over.forEach(Leases::wake);
    if (held() > 0) {
      needsLink.run();
    }
  }

  private static void wake(Ask ask) {
    LinkWait wait = ask.wait;
    if (wait != null) {
      wait.wake();
    }
  }

  private static void declare(Link link, EndpointId endpoint, List<ObjIdentifier> objects) {
    for (List<ObjIdentifier> part : parts(objects)) {
      link.tellLater(new Dirty(0, endpoint, part));
    }
  }

  private static List<List<ObjIdentifier>> parts(List<ObjIdentifier> objects) {
    int parts = (objects.size() + ObjectList.MAX_OBJECTS - 1) / ObjectList.MAX_OBJECTS;
    return IntStream.range(0, parts)
        .mapToObj(
            part ->
                objects.subList(
                    part * ObjectList.MAX_OBJECTS,
                    Math.min(objects.size(), (part + 1) * ObjectList.MAX_OBJECTS)))
        .toList();
  }
}
