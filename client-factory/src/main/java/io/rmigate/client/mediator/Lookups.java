package io.rmigate.client.mediator;

import io.rmigate.client.deadline.CallClock;
import io.rmigate.client.deadline.CallTimeoutException;
import io.rmigate.client.link.Link;
import io.rmigate.client.link.LinkSource;
import io.rmigate.client.stats.UsageCounters;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.UniqueIdentifier;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.jrmp.message.LiveReferenceScan;
import io.rmigate.protocol.tunnel.Bound;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Forgot;
import io.rmigate.protocol.tunnel.Lookup;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.RegistryName;
import io.rmigate.protocol.tunnel.Unbound;
import io.rmigate.protocol.tunnel.UnboundReason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Answers the application's lookups (PROTOCOL.md, section 10): at once from what the gateway has
 * said, as long as it has not said otherwise; else by asking the gateway; else not at all, and the
 * registry is called.
 *
 * <p>Threads: applications look up, bind and acknowledge; the reader of a link brings bindings, in
 * the order of the link. That order is what makes a rebind of this JVM visible to it at once: what
 * the gateway has said before the rebind's Return is here before it and is forgotten with it.
 *
 * <p>Lock: {@code lock} guards everything here and below ({@link LinkBindings}, {@link
 * HeldBinding}, {@link AnsweredReturns}, {@link DistrustedNames}). Nothing is sent under it.
 */
public final class Lookups {
  private final LookupSettings settings;
  private final LinkSource links;
  private final UsageCounters account;
  private final LoopbackServers loopback;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Link, LinkBindings> byLink = new WeakHashMap<>();
  private final AnsweredReturns answered = new AnsweredReturns();
  private final DistrustedNames distrusted = new DistrustedNames();

  private final LongAdder servedHere = new LongAdder();
  private final LongAdder asked = new LongAdder();
  private final LongAdder overStreams = new LongAdder();
  private final LongAdder pushes = new LongAdder();
  private final LongAdder evicted = new LongAdder();

  Lookups(
      LookupSettings settings, LinkSource links, UsageCounters account, LoopbackServers loopback) {
    this.settings = settings;
    this.links = links;
    this.account = account;
    this.loopback = loopback;
  }

  /** Whether bindings may be held here. */
  boolean areCached() {
    return settings.cached();
  }

  /** Figures of the lookups so far. */
  public LookupFigures figures() {
    lock.lock();
    try {
      return new LookupFigures(
          servedHere.sum(),
          asked.sum(),
          overStreams.sum(),
          pushes.sum(),
          evicted.sum(),
          byLink.values().stream().mapToInt(LinkBindings::size).sum());
    } finally {
      lock.unlock();
    }
  }

  // For the conversations.

  /**
   * A lookup of the application begins.
   *
   * @param clock of it
   * @return empty when it is for the registry itself to answer
   * @throws IOException there is no link to ask by
   */
  public Optional<LookupCall> begin(String host, int port, String name, CallClock clock)
      throws IOException {
    RegistryName key = key(host, port, name);
    if (!settings.cached() || settings.uncached().matches(name) || !key.fitsFrames()) {
      return Optional.empty();
    }
    Optional<LookupCall.Attempt> attempt = ask(key, clock);
    if (attempt.isEmpty()) {
      overStreams.increment();
    }
    return attempt.isEmpty()
        ? Optional.empty()
        : Optional.of(new LookupCall(this, key, attempt.get(), clock));
  }

  /**
   * An attempt on the link in use, answered by a held binding or asked of the gateway; empty when
   * the registry itself is to be asked.
   */
  Optional<LookupCall.Attempt> ask(RegistryName name, CallClock clock) throws IOException {
    Link link = links.link(clock);
    if (!link.takes(Feature.LOOKUPS)) {
      return Optional.empty();
    }
    LookupCall.Attempt attempt;
    long number;
    List<HeldBinding> forgotten = new ArrayList<>(0);
    lock.lock();
    try {
      LinkBindings bindings = bindings(link);
      if (bindings.isUncacheable(name, System.nanoTime())) {
        return Optional.empty();
      }
      attempt = new LookupCall.Attempt(name, distrusted.contains(name));
      HeldBinding held = bindings.get(name);
      // On a quiet link the gateway may have said for a while that this is wrong.
      if (held != null && !attempt.isFresh() && !link.isQuiet()) {
        forgotten.addAll(answered.add(held));
        attempt.answer(held);
        number = 0;
      } else {
        number = bindings.ask(attempt);
      }
    } finally {
      lock.unlock();
    }
    tellForgotten(forgotten);
    if (number == 0) {
      servedHere.increment();
      account.lookupAnswered();
      return Optional.of(attempt);
    }
    asked.increment();
    account.roundTrip();
    attempt.waitBy(link.newWait(attempt));
    try {
      if (!link.tell(new Lookup(number, attempt.isFresh(), name), clock)) {
        abandonUnasked(link, attempt, number);
        throw clock.notSent();
      }
    } catch (CallTimeoutException late) {
      throw late;
    } catch (IOException lost) {
      // The wait for the answer is over at once, since the link is.
      System.getLogger(Lookups.class.getName())
          .log(System.Logger.Level.DEBUG, "lookup of {0} not sent: {1}", name, lost);
    }
    return Optional.of(attempt);
  }

  /** The gateway has not been asked: there will be no answer. */
  private void abandonUnasked(Link link, LookupCall.Attempt attempt, long number) {
    lock.lock();
    try {
      bindings(link).answered(number);
      attempt.abandon();
    } finally {
      lock.unlock();
    }
  }

  static LookupCall.Attempt leftToTheRegistry() {
    LookupCall.Attempt none = new LookupCall.Attempt(null, false);
    none.answer(LookupCall.ToRegistry.INSTANCE);
    return none;
  }

  /** Ends an attempt whose answer, if one has come, was not delivered. */
  void abandon(LookupCall.Attempt attempt) {
    List<HeldBinding> forgotten = List.of();
    boolean waiting = false;
    lock.lock();
    try {
      if (!attempt.isAbandoned()) {
        waiting = !attempt.isOver();
        attempt.abandon();
        if (attempt.binding() != null) {
          forgotten = answered.settle(attempt.binding().acknowledge());
        }
      }
    } finally {
      lock.unlock();
    }
    if (waiting) {
      attempt.endWait();
    }
    tellForgotten(forgotten);
  }

  /**
   * The application acknowledges a Return.
   *
   * @param b holds its UID at {@code off}
   * @return whether the Return was answered here, so that no server waits for the DgcAck
   */
  public boolean acknowledge(byte[] b, int off) {
    List<HeldBinding> forgotten;
    lock.lock();
    try {
      UniqueIdentifier uid = UniqueIdentifier.decode(b, off);
      if (!answered.contains(uid)) {
        return false;
      }
      forgotten = answered.settle(uid);
    } finally {
      lock.unlock();
    }
    tellForgotten(forgotten);
    return true;
  }

  /** The application binds, rebinds or unbinds a name at a registry's port, or has done so. */
  public void onChanged(int port, String name) {
    distrust(new BindingInvalidation.Changed(port, name));
  }

  /** The application changes a name that is not known at a registry's port, or has done so. */
  public void onSomethingChanged(int port) {
    distrust(new BindingInvalidation.SomethingChanged(port));
  }

  /** No call gets through to the endpoint, or not to the object: what was bound there is wrong. */
  public void onLeadsNowhere(String host, int port) {
    evicted.add(distrust(new BindingInvalidation.LeadsNowhere(new EndpointId(host, port))));
  }

  private int distrust(BindingInvalidation distrust) {
    List<HeldBinding> forgotten = new ArrayList<>(0);
    int ended = 0;
    lock.lock();
    try {
      for (LinkBindings bindings : byLink.values()) {
        List<HeldBinding> wrong = bindings.distrust(distrust);
        ended += wrong.size();
        forgotten.addAll(end(wrong));
        if (distrust instanceof BindingInvalidation.LeadsNowhere) {
          wrong.forEach(binding -> distrusted.add(binding.name()));
        }
      }
    } finally {
      lock.unlock();
    }
    tellForgotten(forgotten);
    return ended;
  }

  // For the link, on the thread that reads it.

  void onBound(Link link, Bound bound) throws ProtocolViolationException {
    byte[] message = bound.message();
    List<LiveReference> references = LiveReferenceScan.scan(message, 0, message.length);
    if (link.mapsLoopback()) {
      for (LiveReference reference : references) {
        loopback.learn(reference); // before the thread that asked connects to it
      }
    }
    List<HeldBinding> forgotten = new ArrayList<>(0);
    lock.lock();
    try {
      LinkBindings bindings = bindings(link);
      LookupCall.Attempt attempt = bound.number() == 0 ? null : asked(bindings, bound.number());
      RegistryName name = attempt == null ? key(bound.pushed().orElseThrow()) : attempt.name();
      HeldBinding binding = HeldBinding.of(link, name, bound, references);
      if (attempt == null) {
        pushes.increment();
      } else if (!attempt.isAbandoned()) {
        forgotten.addAll(answered.add(binding));
        attempt.answer(binding);
      }
      if (attempt == null ? !settings.uncached().matches(name.name()) : isGood(attempt, binding)) {
        List<HeldBinding> gaveWay = bindings.hold(binding);
        for (HeldBinding other : gaveWay) {
          if (!other.name().equals(name)) {
            evicted.increment();
          }
        }
        forgotten.addAll(end(gaveWay));
      } else {
        forgotten.addAll(end(List.of(binding)));
      }
    } finally {
      lock.unlock();
    }
    tellForgotten(forgotten);
  }

  /** Whether the gateway's answer is good for later lookups too. */
  private boolean isGood(LookupCall.Attempt attempt, HeldBinding binding) {
    if (attempt.leadsNowhere(binding)) {
      distrusted.add(binding.name());
    } else if (attempt.isFresh()) {
      distrusted.remove(binding.name());
    }
    return attempt.mayHold(binding);
  }

  void onUnbound(Link link, Unbound unbound) throws ProtocolViolationException {
    List<HeldBinding> forgotten;
    lock.lock();
    try {
      LinkBindings bindings = bindings(link);
      RegistryName name;
      if (unbound.number() == 0) {
        pushes.increment();
        name = key(unbound.pushed().orElseThrow());
      } else {
        LookupCall.Attempt attempt = asked(bindings, unbound.number());
        name = attempt.name();
        if (unbound.reason() == UnboundReason.NOT_CACHEABLE) {
          bindings.uncacheable(name, System.nanoTime());
          overStreams.increment();
        }
        if (attempt.isFresh()) {
          distrusted.remove(name);
        }
        attempt.answer(outcome(unbound));
      }
      forgotten = end(bindings.drop(name));
    } finally {
      lock.unlock();
    }
    tellForgotten(forgotten);
  }

  private static LookupCall.Outcome outcome(Unbound unbound) {
    if (unbound.reason() == UnboundReason.NOT_BOUND) {
      return new LookupCall.Answer(unbound.message());
    }
    Optional<RefusalReason> refusal = unbound.reason().refusal();
    return refusal.isPresent()
        ? new LookupCall.Refusal(refusal.get(), unbound.text())
        : LookupCall.ToRegistry.INSTANCE;
  }

  private static LookupCall.Attempt asked(LinkBindings bindings, long number)
      throws ProtocolViolationException {
    LookupCall.Attempt attempt = bindings.answered(number);
    if (attempt == null) {
      throw new ProtocolViolationException(
          "expected an answer to a LOOKUP that waits for one, got number " + number);
    }
    return attempt;
  }

  void onEnded(Link link) {
    List<LookupCall.Attempt> unanswered = List.of();
    lock.lock();
    try {
      LinkBindings bindings = byLink.remove(link);
      if (bindings != null) {
        unanswered = bindings.clear();
      }
      answered.forget(link);
    } finally {
      lock.unlock();
    }
    unanswered.forEach(LookupCall.Attempt::wake); // they see that the link has ended
  }

  // Under the lock.

  private LinkBindings bindings(Link link) {
    return link.hasEnded()
        ? new LinkBindings() // nothing is kept for it
        : known(link);
  }

  private LinkBindings known(Link link) {
    LinkBindings bindings = byLink.get(link);
    if (bindings == null) {
      bindings = new LinkBindings();
      byLink.put(link, bindings);
    }
    return bindings;
  }

  /** Lookups are not answered with these any more; those of which the gateway can hear now. */
  private List<HeldBinding> end(List<HeldBinding> over) {
    List<HeldBinding> forgotten = new ArrayList<>(0);
    for (HeldBinding binding : over) {
      if (!binding.link().hasEnded() && answered.end(binding)) {
        forgotten.add(binding);
      }
    }
    return forgotten;
  }

  /** Outside the lock. */
  private static void tellForgotten(List<HeldBinding> forgotten) {
    for (HeldBinding binding : forgotten) {
      binding.link().tellLater(new Forgot(binding.number()));
    }
  }

  private static RegistryName key(RegistryName name) {
    return key(name.registry().host(), name.registry().port(), name.name());
  }

  /** Hosts are the same in small and capital letters. */
  private static RegistryName key(String host, int port, String name) {
    return new RegistryName(new EndpointId(host.toLowerCase(Locale.ROOT), port), name);
  }
}
