package io.rmigate.gateway.bridge;

import io.rmigate.gateway.bridge.marshal.AnswerClasses;
import io.rmigate.gateway.bridge.marshal.ReferenceProxies;
import io.rmigate.gateway.bridge.marshal.ReplyRules;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.quota.Permit;
import io.rmigate.gateway.route.PolicyRefusal;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.tunnel.RegistryName;
import io.rmigate.soap.call.CallFailure;
import io.rmigate.soap.call.RemoteObject;
import java.lang.reflect.Method;
import java.rmi.NotBoundException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** {@code lock} guards what the visit holds. */
final class RelayVisit implements BridgeVisit {
  /** The longest wait for a registry when a known name is looked up again. */
  private static final long LONGEST_RENEWAL_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final RelayBridge bridge;
  private final CallerContext account;
  private final Principal principal;
  private final AnswerClasses classes;
  private final Duration within;
  private final Permit<BridgeCaller> room;

  private final ReentrantLock lock = new ReentrantLock();
  private final Set<BridgeReference> held = new HashSet<>();
  private boolean closed;

  RelayVisit(
      RelayBridge bridge,
      CallerContext account,
      Principal principal,
      AnswerClasses classes,
      Duration within) {
    this.bridge = bridge;
    this.account = account;
    this.principal = principal;
    this.classes = classes;
    this.within = within;
    this.room = bridge.answers().permit(account.who());
  }

  @Override
  public RemoteObject named(RegistryName name) {
    return (method, arguments) -> counted(deadline -> callNamed(name, method, arguments, deadline));
  }

  @Override
  public RemoteObject referenced(HeldReference reference) {
    LiveReference target = hold(mine(reference));
    return (method, arguments) -> counted(deadline -> call(target, method, arguments, deadline));
  }

  private interface Attempt {
    Object by(long deadlineNanos) throws CallFailure;
  }

  private Object counted(Attempt attempt) throws CallFailure {
    long began = System.nanoTime();
    String outcome = "failed";
    try {
      mayCall();
      Object result = attempt.by(began + within.toNanos());
      outcome = "returned";
      return result;
    } catch (CallFailure failure) {
      outcome = failure.kind().name().toLowerCase(Locale.ROOT);
      throw failure;
    } finally {
      bridge.meters().bridgeCall(outcome, System.nanoTime() - began);
    }
  }

  private void mayCall() throws CallFailure {
    if (bridge.isClosed()) {
      throw new CallFailure(CallFailure.Kind.UNREACHABLE, "the gateway ends", null);
    }
    if (principal.expires().filter(end -> !Instant.now().isBefore(end)).isPresent()) {
      PolicyRefusal expired = PolicyRefusal.expired();
      throw new CallFailure(CallFailure.Kind.NOT_PERMITTED, expired.getMessage(), expired);
    }
  }

  /**
   * What is gone where it was is looked up once more, unless it just has been, and called there:
   * nothing has run yet.
   */
  private Object callNamed(RegistryName name, Method method, Object[] arguments, long deadline)
      throws CallFailure {
    bridge.calls().mayLookUp(account, name);
    Optional<LookupResults.Binding> known = account.lookedUp().get(name);
    LookupResults.Binding binding =
        known.isPresent() ? renewed(name, known.get(), deadline) : lookUp(name, deadline);
    try {
      return call(binding.reference(), method, arguments, deadline);
    } catch (CallFailure failure) {
      if (!RemoteCalls.isGone(failure)) {
        throw failure;
      }
      account.lookedUp().forget(name, binding);
      if (known.isEmpty() || !known.get().equals(binding)) {
        throw failure; // that is what its registry says of it now
      }
      LookupResults.Binding another = lookUp(name, deadline);
      if (isSame(another.reference(), binding.reference())) {
        throw failure;
      }
      return call(another.reference(), method, arguments, deadline);
    }
  }

  private LookupResults.Binding lookUp(RegistryName name, long deadline) throws CallFailure {
    long now = System.nanoTime();
    LookupResults.Binding binding =
        new LookupResults.Binding(bridge.calls().lookUp(account, name, classes, deadline), now);
    account.lookedUp().put(name, binding);
    return binding;
  }

  /** A registry that is away leaves what it has said in force: its objects may well be there. */
  private LookupResults.Binding renewed(
      RegistryName name, LookupResults.Binding known, long deadline) throws CallFailure {
    long now = System.nanoTime();
    if (now - known.sinceNanos() < bridge.longestBindingNanos()) {
      return known;
    }
    LookupResults.Binding seen = new LookupResults.Binding(known.reference(), now);
    account.lookedUp().put(name, seen); // others need not ask meanwhile
    try {
      return lookUp(name, Math.min(deadline, now + LONGEST_RENEWAL_NANOS));
    } catch (CallFailure failure) {
      if (failure.getCause() instanceof NotBoundException
          || failure.kind() == CallFailure.Kind.NOT_PERMITTED) {
        account.lookedUp().forget(name, seen);
        throw failure;
      }
      return seen;
    }
  }

  private static boolean isSame(LiveReference one, LiveReference other) {
    return BridgeReference.of(one).equals(BridgeReference.of(other));
  }

  private Object call(LiveReference target, Method method, Object[] arguments, long deadline)
      throws CallFailure {
    RemoteCalls calls = bridge.calls();
    ReplyRules rules =
        calls.rules(classes, bytes -> room.take(bytes, bridge.answerBytes()), deadline);
    return calls.call(account, BridgeReference.of(target), method, arguments, rules, this::hold);
  }

  /** Until the visit ends; what comes after that is let go at once. */
  private boolean hold(Collection<BridgeReference> references) {
    lock.lock();
    try {
      List<BridgeReference> added =
          references.stream().distinct().filter(r -> !held.contains(r)).toList();
      boolean all = account.references().retain(added);
      if (closed) {
        account.references().release(added);
      } else {
        held.addAll(added);
      }
      return all && !closed;
    } finally {
      lock.unlock();
    }
  }

  private LiveReference hold(BridgeHeldReference reference) {
    hold(List.of(BridgeReference.of(reference.reference())));
    return reference.reference();
  }

  private BridgeHeldReference mine(HeldReference reference) {
    if (reference instanceof BridgeHeldReference mine && mine.account() == account) {
      return mine;
    }
    throw new IllegalArgumentException(
        "a reference of " + reference.principal() + ", asked for by " + principal);
  }

  @Override
  public Optional<Object> argument(HeldReference reference, Class<?> type) {
    BridgeHeldReference mine = mine(reference);
    return ReferenceProxies.proxy(classes, mine.interfaces(), hold(mine)).filter(type::isInstance);
  }

  @Override
  public HeldReference keep(Object reference) {
    LiveReference live =
        ReferenceProxies.reference(reference)
            .orElseThrow(() -> new IllegalArgumentException("no reference: " + reference));
    BridgeReference object = BridgeReference.of(live);
    lock.lock();
    try {
      if (!held.contains(object)) {
        throw new IllegalArgumentException("not of this visit: " + reference);
      }
      account.references().retain(List.of(object));
    } finally {
      lock.unlock();
    }
    account.enter();
    return new BridgeHeldReference(
        bridge, account, principal, live, ReferenceProxies.interfaces(reference));
  }

  @Override
  public void close() {
    List<BridgeReference> released;
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      released = List.copyOf(held);
      held.clear();
    } finally {
      lock.unlock();
    }
    room.close();
    account.references().release(released);
    bridge.leave(account);
  }
}
