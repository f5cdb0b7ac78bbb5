package io.rmigate.client.mediator;

import io.rmigate.client.config.LeaseMode;
import io.rmigate.client.deadline.CallClock;
import io.rmigate.client.link.Link;
import io.rmigate.client.link.LinkSource;
import io.rmigate.client.mediator.HeldReferences.Keeper;
import io.rmigate.client.stats.UsageCounters;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.UniqueIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.jrmp.message.LeaseReturn;
import io.rmigate.protocol.jrmp.message.LiveReference;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Answers the JVM's dirty and clean calls here and tells the gateway, one way, to hold the leases
 * (PROTOCOL.md, section 9; JRMP.md 5.4). Keeps what the JVM holds ({@link ClientJvms}), so that a
 * new session begins with it.
 *
 * <p>While a gateway keeps a lease for the JVM, only a gateway that does can be linked to: the JVM
 * was told for an hour ahead that all is well, and nothing makes it register anew before that.
 *
 * <p>Thread-safe. {@code lock} guards everything here and below ({@link ClientJvms}, {@link
 * PinnedReferences}); frames are queued under it, never written, so that they leave in the order in
 * which the references changed.
 */
public final class Leases {
  /**
   * The lease that the JVM is granted. The JVM renews it at half of its time, and so finds out
   * whether there is a link. It is finite, because the JVM computes with it (JRMP.md 5.5).
   */
  static final Duration GRANTED = Duration.ofHours(1);

  /** JVMs that are given up, where there are others, are so this much later than their lease. */
  private static final int GRACE_DIVISOR = 4;

  private static final byte[] CLEANED = LeaseReturn.encodeNothing();

  private final LeaseMode mode;
  private final LinkSource links;
  private final Runnable needsLink;
  private final UsageCounters account;

  /** The duration of the leases that JVMs are granted. */
  private final Duration granted;

  /** Whether there may be several JVMs, of which one that does not renew is given up. */
  private final boolean shared;

  private final ReentrantLock lock = new ReentrantLock();
  private final ClientJvms held = new ClientJvms();
  private final PinnedReferences pinned = new PinnedReferences();
  private final Map<Long, LeaseCall> asks = new HashMap<>();
  private long lastAsk;

  /** The link that knows all that is held; null while there has been none that takes leases. */
  private Link declared;

  /** Whether that link's gateway has said that it does not hold all it has been told. */
  private boolean refusing;

  /**
   * @param needsLink to be run when something is held and there is no link; must not block
   */
  Leases(LeaseMode mode, LinkSource links, Runnable needsLink, UsageCounters account) {
    this(mode, links, needsLink, account, Optional.empty());
  }

  /**
   * Leases for any number of JVMs.
   *
   * @param term for which each is granted a lease, and after which one that has not renewed it is
   *     given up; empty for the one JVM that this is in
   */
  Leases(
      LeaseMode mode,
      LinkSource links,
      Runnable needsLink,
      UsageCounters account,
      Optional<Duration> term) {
    this.mode = mode;
    this.links = links;
    this.needsLink = needsLink;
    this.account = account;
    this.granted = term.orElse(GRANTED);
    this.shared = term.isPresent();
  }

  /** Whether the gateway is to be offered to hold leases. */
  public boolean areOffered() {
    return mode != LeaseMode.OFF;
  }

  /** Whether the references in Returns have to be known. */
  public boolean isStrict() {
    return mode == LeaseMode.STRICT;
  }

  /** How many references a gateway has to hold a lease on. */
  int keptByGateway() {
    lock.lock();
    try {
      return held.keptByGateway();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The objects that the JVMs hold, by endpoints as stubs name them; empty when that is not known.
   */
  Optional<Map<EndpointId, Set<ObjIdentifier>>> held() {
    if (mode == LeaseMode.OFF) {
      return Optional.empty(); // its dirty and clean calls are not looked at
    }
    lock.lock();
    try {
      return Optional.of(held.all());
    } finally {
      lock.unlock();
    }
  }

  // For the conversations.

  /** Whether the JVM may have something to say about references there, link or not. */
  public boolean areHeldAt(String host, int port) {
    lock.lock();
    try {
      return held.holdSomethingAt(new EndpointId(host, port));
    } finally {
      lock.unlock();
    }
  }

  /** A Return with this UID carries a reference; asked for in strict mode only. */
  public void onReturned(UniqueIdentifier uid, LiveReference reference) {
    if (reference.inReturn()) {
      lock.lock();
      try {
        pinned.add(uid, reference, System.nanoTime());
      } finally {
        lock.unlock();
      }
    }
  }

  /** Begins a call as {@link #begin(String, int, byte[], int, CallClock)} does, without a bound. */
  public Optional<LeaseCall> begin(String host, int port, byte[] call, int length)
      throws IOException {
    return begin(host, port, call, length, CallClock.UNBOUNDED);
  }

  /**
   * A whole Call for the collector's ObjID.
   *
   * @param host of the stub, as its endpoint says
   * @param clock of the Call
   * @return how it is answered here; empty when it is to go to its server like any other
   * @throws IOException there is no gateway to tell: the JVM's dirty must fail, so that the RMI
   *     runtime applies its own rules
   */
  public Optional<LeaseCall> begin(String host, int port, byte[] call, int length, CallClock clock)
      throws IOException {
    if (mode == LeaseMode.OFF) {
      return Optional.empty();
    }
    DgcCall decoded;
    try {
      // The JVM drops any number at once; no server sees this call.
      decoded = DgcCall.decode(call, 0, length, Integer.MAX_VALUE).orElse(null);
    } catch (ProtocolViolationException strange) {
      return Optional.empty(); // the gateway and the server will say what they think of it
    }
    EndpointId endpoint = new EndpointId(host, port);
    Optional<LeaseCall> answered = Optional.empty();
    if (decoded instanceof DgcCall.Dirty dirty && dirty.client().isPresent()) {
      answered = dirty(endpoint, dirty, clock);
    } else if (decoded instanceof DgcCall.Clean clean) {
      answered = clean(endpoint, clean);
    }
    if (answered.isPresent()) {
      account.leaseCallAnswered();
    }
    return answered;
  }

  private Optional<LeaseCall> dirty(EndpointId endpoint, DgcCall.Dirty dirty, CallClock clock)
      throws IOException {
    if (!ObjectList.canName(endpoint)) {
      throw new ConnectException("no server can be at " + endpoint);
    }
    links.link(clock); // has declared all that was held before
    VmIdentifier vm = dirty.client().get();
    byte[] message = LeaseReturn.encode(vm, granted.toMillis());
    LeaseCall answered;
    boolean lost;
    lock.lock();
    try {
      if (shared) {
        checkKnown(vm, dirty);
      }
      Keeper keeper = keeper(vm, endpoint);
      int before = held.keptByGateway();
      List<ObjIdentifier> counted =
          held.dirty(vm, endpoint, keeper, dirty.objects(), dirty.sequence(), System.nanoTime());
      if (keeper == Keeper.JVM) {
        return Optional.empty();
      }
      account.leasesChanged(held.keptByGateway() - before);
      if (mustAsk(endpoint, counted)) {
        answered = ask(message, endpoint, counted);
      } else {
        answered = new LeaseCall(message, endpoint, declared, 0);
        declare(declared, endpoint, counted);
      }
      lost = declared.hasEnded(); // before it could hear of these
    } finally {
      lock.unlock();
    }
    if (lost) {
      needsLink.run();
    }
    return Optional.of(answered);
  }

  /**
   * Makes an unknown JVM register all references that it holds, as JVMs do when a renewal fails.
   * Such a JVM was given up, or an earlier sidecar has known it.
   */
  private void checkKnown(VmIdentifier vm, DgcCall.Dirty dirty) throws ConnectException {
    if (!held.know(vm)) {
      if (dirty.objects().isEmpty()) {
        throw new ConnectException("this JVM has no lease to renew here");
      }
      if (held.areTooMany()) {
        throw new ConnectException("too many JVMs share this sidecar");
      }
    }
  }

  private Keeper keeper(VmIdentifier vm, EndpointId endpoint) {
    return held.keeper(vm, endpoint).orElse(declared == null ? Keeper.JVM : Keeper.GATEWAY);
  }

  private boolean mustAsk(EndpointId endpoint, List<ObjIdentifier> objects) {
    return !objects.isEmpty()
        && (refusing || (isStrict() && !pinned.contain(endpoint, objects, System.nanoTime())));
  }

  private LeaseCall ask(byte[] message, EndpointId endpoint, List<ObjIdentifier> objects) {
    List<List<ObjIdentifier>> parts = parts(objects);
    LeaseCall call = new LeaseCall(message, endpoint, declared, parts.size());
    for (List<ObjIdentifier> part : parts) {
      long number = ++lastAsk;
      asks.put(number, call);
      declared.enqueue(new Dirty(number, endpoint, part));
    }
    account.roundTrip();
    return call;
  }

  private Optional<LeaseCall> clean(EndpointId endpoint, DgcCall.Clean clean) {
    lock.lock();
    try {
      if (shared && !held.know(clean.client()) && held.areTooMany()) {
        return Optional.empty();
      }
      Keeper keeper = keeper(clean.client(), endpoint);
      int before = held.keptByGateway();
      List<ObjIdentifier> counted =
          held.clean(
              clean.client(),
              endpoint,
              clean.objects(),
              clean.sequence(),
              clean.strong(),
              System.nanoTime());
      if (keeper == Keeper.JVM) {
        return Optional.empty();
      }
      account.leasesChanged(held.keptByGateway() - before);
      for (List<ObjIdentifier> part : parts(counted)) {
        declared.enqueue(new Clean(endpoint, part));
      }
      return Optional.of(new LeaseCall(CLEANED, endpoint, declared, 0));
    } finally {
      lock.unlock();
    }
  }

  /**
   * A DgcAck of the JVM. With no link it is lost, which costs the server five minutes of pinning.
   *
   * @param uid where the 14 bytes are that name the Return
   * @return whether the gateway has been told; else it goes to the server like any message
   */
  public boolean acknowledge(String host, int port, byte[] message, int uid) {
    EndpointId endpoint = new EndpointId(host, port);
    lock.lock();
    try {
      if (declared == null || !ObjectList.canName(endpoint)) {
        return false;
      }
      declared.enqueue(
          new DgcAck(endpoint, Arrays.copyOfRange(message, uid, uid + Jrmp.UID_BYTES)));
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** The JVM acknowledges a Return, to whomever: nothing in it is pinned any more. */
  public void onAcknowledged(byte[] message, int uid) {
    if (isStrict()) {
      lock.lock();
      try {
        pinned.forget(UniqueIdentifier.decode(message, uid));
      } finally {
        lock.unlock();
      }
    }
  }

  // For the mediator.

  /** How often to look for JVMs that are to be given up; empty where there is but one. */
  Optional<Duration> interval() {
    return shared ? Optional.of(granted.dividedBy(GRACE_DIVISOR)) : Optional.empty();
  }

  /** Releases what only JVMs have held that do not renew any more. On the timer; sends nothing. */
  void giveUpTheDead() {
    Duration silence = granted.plus(granted.dividedBy(GRACE_DIVISOR));
    lock.lock();
    try {
      int before = held.keptByGateway();
      held.giveUp(System.nanoTime(), silence)
          .forEach(
              (endpoint, objects) ->
                  parts(objects).forEach(part -> declared.enqueue(new Clean(endpoint, part))));
      account.leasesChanged(held.keptByGateway() - before);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Declares all held references on a new link, which no other thread uses yet.
   *
   * @throws ConnectException something is held, and the gateway takes no leases
   */
  void declareAll(Link link) throws ConnectException {
    lock.lock();
    try {
      if (link.takes(Feature.LEASES)) {
        declared = link;
        refusing = false;
        for (Map.Entry<EndpointId, List<ObjIdentifier>> each : held.allKeptByGateway().entrySet()) {
          declare(link, each.getKey(), each.getValue());
        }
      } else if (held.keptByGateway() > 0) {
        throw new ConnectException(
            "the rmigate gateway takes no leases any more (leases.enabled: false in its"
                + " configuration), but this JVM holds "
                + held.keptByGateway()
                + " remote references whose leases it had kept; set leases.enabled: true there, or"
                + " restart this JVM");
      } else {
        declared = null;
      }
    } finally {
      lock.unlock();
    }
  }

  /** The gateway has answered a dirty, or says unasked that one failed. On the link's reader. */
  void onLeased(Link link, Leased leased) throws ProtocolViolationException {
    if (leased.number() == 0) {
      onRefusal(link, leased);
      return;
    }
    LeaseCall asking;
    lock.lock();
    try {
      asking = asks.remove(leased.number());
    } finally {
      lock.unlock();
    }
    if (asking == null || !asking.isAskedOn(link)) {
      throw new ProtocolViolationException(
          "expected LEASED for a DIRTY that asks, got number " + leased.number());
    }
    asking.onAnswer(leased);
  }

  private void onRefusal(Link link, Leased leased) {
    boolean first;
    lock.lock();
    try {
      first = link == declared && !refusing;
      refusing |= link == declared;
    } finally {
      lock.unlock();
    }
    if (first) {
      System.getLogger(Leases.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "the rmigate gateway does not hold all references of this JVM, so that calls on some"
                  + " may fail with NoSuchObjectException: {0}",
              leased.text());
    }
  }

  /** The gateway asks us to go elsewhere. What is held has to be declared there in time. */
  void onDraining() {
    if (keptByGateway() > 0) {
      needsLink.run();
    }
  }

  /** Ends the waits of all calls on a link that has ended. */
  void onEnded(Link link) {
    List<LeaseCall> over;
    lock.lock();
    try {
      over = asks.values().stream().filter(call -> call.isAskedOn(link)).toList();
      asks.values().removeIf(call -> call.isAskedOn(link));
    } finally {
      lock.unlock();
    }
    over.forEach(LeaseCall::wake);
    if (keptByGateway() > 0) {
      needsLink.run();
    }
  }

  private static void declare(Link link, EndpointId endpoint, List<ObjIdentifier> objects) {
    for (List<ObjIdentifier> part : parts(objects)) {
      link.enqueue(new Dirty(0, endpoint, part));
    }
  }

  private static List<List<ObjIdentifier>> parts(List<ObjIdentifier> objects) {
    List<List<ObjIdentifier>> parts = new ArrayList<>();
    for (int from = 0; from < objects.size(); from += ObjectList.MAX_OBJECTS) {
      parts.add(objects.subList(from, Math.min(objects.size(), from + ObjectList.MAX_OBJECTS)));
    }
    return parts;
  }
}
