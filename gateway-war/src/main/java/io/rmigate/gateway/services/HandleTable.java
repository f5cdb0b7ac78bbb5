package io.rmigate.gateway.services;

import io.rmigate.gateway.bridge.HeldReference;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Shares;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The remote references that clients have by handles: 128 random bits that only the owner gets. A
 * reference is released when its handle is released or has expired and no call uses it.
 * Thread-safe; references are closed outside of the lock.
 */
final class HandleTable implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HandleTable.class);
  private static final int ID_BYTES = 16;

  /** A handle, as long as its user has not closed it. */
  interface Use extends AutoCloseable {
    String id();

    /** Path of the entry whose call returned the reference. */
    String path();

    /** The remote interface it was declared as. */
    String interfaceName();

    HeldReference reference();

    Instant expires();

    @Override
    void close();
  }

  /** The reference that a call has returned, and the entry whose call that was. */
  private record Returned(PublishedObject object, String interfaceName, HeldReference reference) {}

  private static final class Held {
    final String id;
    final long number;
    final Principal principal;
    final Returned returned;
    final Instant since;
    long end; // nanoseconds of the ticker; guarded by lock
    int users = 1; // guarded by lock; being in the table is one

    Held(String id, long number, Principal principal, Returned returned, Instant since, long end) {
      this.id = id;
      this.number = number;
      this.principal = principal;
      this.returned = returned;
      this.since = since;
      this.end = end;
    }
  }

  private final class HeldUse implements Use {
    private final Held held;
    private final Instant expires;
    private boolean closed; // guarded by lock

    HeldUse(Held held) {
      this.held = held;
      this.expires = wallTime(held.end);
    }

    @Override
    public String id() {
      return held.id;
    }

    @Override
    public String path() {
      return held.returned.object().path();
    }

    @Override
    public String interfaceName() {
      return held.returned.interfaceName();
    }

    @Override
    public HeldReference reference() {
      return held.returned.reference();
    }

    @Override
    public Instant expires() {
      return expires;
    }

    @Override
    public void close() {
      boolean last;
      lock.lock();
      try {
        last = !closed && --held.users == 0;
        closed = true;
      } finally {
        lock.unlock();
      }
      if (last) {
        letGo(List.of(held));
      }
    }
  }

  /** Nanoseconds that only ever grow: a wall clock that is set ends no handle. */
  private final LongSupplier ticker;

  /** Only to say when. */
  private final Clock clock;

  private final Supplier<ServiceSettings> settings;
  private final SecureRandom random = new SecureRandom();
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Held> byId = new HashMap<>(); // guarded by lock
  private final Shares<Principal> owners = new Shares<>(); // changed under lock only

  /** The first to expire first. Guarded by lock. */
  private final TreeSet<Held> byEnd =
      new TreeSet<>(
          Comparator.<Held>comparingLong(held -> held.end).thenComparingLong(held -> held.number));

  private long made; // guarded by lock
  private boolean closed; // guarded by lock

  /**
   * @param ticker nanoseconds from some point in the past
   * @param settings asked each time: a reload is in force for the handles to come, and renewals
   */
  HandleTable(LongSupplier ticker, Clock clock, Supplier<ServiceSettings> settings) {
    this.ticker = ticker;
    this.clock = clock;
    this.settings = settings;
  }

  /**
   * Takes charge of a reference.
   *
   * @return a use of its handle; empty if a quota is used up, and then the reference is still its
   *     caller's
   */
  Optional<Use> add(
      Principal principal, PublishedObject object, String interfaceName, HeldReference reference) {
    expire();
    Principal who = new Principal(principal.name(), principal.scheme());
    ServiceSettings bounds = settings.get();
    byte[] bits = new byte[ID_BYTES];
    random.nextBytes(bits);
    String id = Base64.getUrlEncoder().withoutPadding().encodeToString(bits);
    Instant since = now();
    lock.lock();
    try {
      Quota quota = Quota.of(bounds.handles().all(), bounds.handles().perPrincipal());
      if (closed || !owners.take(who, 1, quota)) {
        return Optional.empty();
      }
      Held held =
          new Held(
              id,
              ++made,
              principal.withoutProofs(),
              new Returned(object, interfaceName, reference),
              since,
              ticker.getAsLong() + bounds.handles().lifetime().toNanos());
      byId.put(id, held);
      byEnd.add(held);
      return Optional.of(use(held));
    } finally {
      lock.unlock();
    }
  }

  /** As clients are shown it: to milliseconds. */
  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  private Instant wallTime(long end) {
    return clock.instant().plusNanos(end - ticker.getAsLong()).truncatedTo(ChronoUnit.MILLIS);
  }

  /** With the lock. */
  private Use use(Held held) {
    held.users++;
    return new HeldUse(held);
  }

  /** A handle of this principal, to be closed after use. */
  Optional<Use> find(String id, Principal principal) {
    lock.lock();
    try {
      return own(id, principal).map(this::use);
    } finally {
      lock.unlock();
    }
  }

  /** With the lock. */
  private Optional<Held> own(String id, Principal principal) {
    return Optional.ofNullable(byId.get(id))
        .filter(held -> held.principal.isSameAs(principal))
        .filter(held -> held.end - ticker.getAsLong() > 0);
  }

  /** Puts a handle's end off; the time it has now. */
  Optional<Instant> renew(String id, Principal principal) {
    lock.lock();
    try {
      Optional<Held> found = own(id, principal);
      found.ifPresent(
          held -> {
            byEnd.remove(held);
            held.end = ticker.getAsLong() + settings.get().handles().lifetime().toNanos();
            byEnd.add(held);
          });
      return found.map(held -> wallTime(held.end));
    } finally {
      lock.unlock();
    }
  }

  /** Ends a handle. Whether there was one. */
  boolean release(String id, Principal principal) {
    Optional<Held> found;
    boolean last;
    lock.lock();
    try {
      found = own(id, principal);
      found.ifPresent(this::remove);
      last = found.isPresent() && --found.get().users == 0;
    } finally {
      lock.unlock();
    }
    if (last) {
      letGo(List.of(found.get()));
    }
    return found.isPresent();
  }

  /** Ends the handles whose time is over. */
  void expire() {
    long now = ticker.getAsLong();
    List<Held> over = new ArrayList<>();
    lock.lock();
    try {
      while (!byEnd.isEmpty() && byEnd.first().end - now <= 0) {
        Held held = byEnd.first();
        remove(held);
        over.add(held);
      }
      over.removeIf(held -> --held.users > 0);
    } finally {
      lock.unlock();
    }
    letGo(over);
  }

  /** Ends the handles to which their owners have no right any more. */
  void retain(BiPredicate<Principal, PublishedObject> right) {
    removeIf(held -> !right.test(held.principal, held.returned.object()));
  }

  /** One that fails keeps none of the others. */
  private static void letGo(List<Held> unused) {
    for (Held held : unused) {
      try {
        held.returned.reference().close();
      } catch (RuntimeException e) {
        log.error("a reference to a remote object could not be released", e);
      }
    }
  }

  private void removeIf(Predicate<Held> unwanted) {
    List<Held> unused;
    lock.lock();
    try {
      List<Held> removed = byId.values().stream().filter(unwanted).toList();
      removed.forEach(this::remove);
      unused = removed.stream().filter(held -> --held.users == 0).toList();
    } finally {
      lock.unlock();
    }
    letGo(unused);
  }

  /** With the lock. */
  private void remove(Held held) {
    byId.remove(held.id);
    byEnd.remove(held);
    Principal owner = new Principal(held.principal.name(), held.principal.scheme());
    owners.release(owner, 1);
  }

  /** How many there are. */
  int size() {
    lock.lock();
    try {
      return byId.size();
    } finally {
      lock.unlock();
    }
  }

  /** The oldest first. */
  List<ServicesView.HandleView> list() {
    lock.lock();
    try {
      return byId.values().stream()
          .sorted(Comparator.comparingLong(held -> held.number))
          .map(
              held ->
                  new ServicesView.HandleView(
                      held.number,
                      held.principal.name(),
                      held.returned.object().path(),
                      held.returned.interfaceName(),
                      held.returned.reference().endpoint().toString(),
                      held.returned.reference().object(),
                      held.since,
                      wallTime(held.end)))
          .toList();
    } finally {
      lock.unlock();
    }
  }

  /** Ends all, and takes none any more. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    removeIf(held -> true);
  }
}
