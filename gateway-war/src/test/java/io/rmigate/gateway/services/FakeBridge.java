package io.rmigate.gateway.services;

import io.rmigate.gateway.bridge.BridgeCalls;
import io.rmigate.gateway.bridge.BridgeVisit;
import io.rmigate.gateway.bridge.CallShare;
import io.rmigate.gateway.bridge.HeldReference;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.RefusalLine;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.tunnel.RegistryName;
import io.rmigate.soap.call.CallFailure;
import io.rmigate.soap.call.CallFailure.Kind;
import io.rmigate.soap.call.RemoteObject;
import io.rmigate.soap.publish.Publication;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Calls with the JDK's own stubs, of the tests' class loader, and counts. What goes in and out is
 * of the publication's loader, as the real one has it.
 */
final class FakeBridge implements BridgeCalls {
  /** Lines of the log about refusals. */
  final List<String> lines = new CopyOnWriteArrayList<>();

  private final AtomicInteger calls = new AtomicInteger();
  private final Set<HeldReference> held = ConcurrentHashMap.newKeySet();

  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicLong carried = new AtomicLong();
  private volatile Optional<String> tooMuch = Optional.empty();

  private volatile Optional<CallFailure> failing = Optional.empty();

  private final List<String> refused = new CopyOnWriteArrayList<>();
  private volatile boolean lockedOut;

  /** Each call waits for it on its way. */
  private volatile CountDownLatch gate = new CountDownLatch(0);

  /** Number of calls that have been made. */
  int calls() {
    return calls.get();
  }

  /** Number of references that are held beyond their visits. */
  int held() {
    return held.size();
  }

  /** Lets no call through until {@link #open}. */
  void shut() {
    gate = new CountDownLatch(1);
  }

  void open() {
    gate.countDown();
  }

  @Override
  public BridgeVisit visit(Publication publication, Principal principal, Duration within) {
    return new FakeVisit(publication, principal);
  }

  /** From now on calls are too much by that limit; none: they are not. */
  void tooMuch(Optional<String> limit) {
    tooMuch = limit;
  }

  /** From now on calls fail in this way and reach no object; empty: they succeed again. */
  void failing(Optional<CallFailure> failure) {
    failing = failure;
  }

  /** Calls that have begun, as far as limits go, and have not ended. */
  int begun() {
    return begun.get();
  }

  /** Bytes of calls and answers. */
  long carried() {
    return carried.get();
  }

  @Override
  public CallShare share(Principal principal, String peer, EndpointId registry) {
    return new FakeShare(tooMuch);
  }

  /** From now on nothing of anybody is let through. */
  void lockOut(boolean everybody) {
    lockedOut = everybody;
  }

  /** What has been refused, in its order. */
  List<String> refused() {
    return refused;
  }

  @Override
  public boolean isLockedOut(Principal principal, String peer) {
    return lockedOut;
  }

  @Override
  public void warnRefused(Principal principal, String peer, RefusalLine line) {
    lines.add(line.toString());
  }

  @Override
  public void onRefused(Principal principal, String peer, String what) {
    refused.add(principal.name() + " " + what);
  }

  private final class FakeShare implements CallShare {
    private final Optional<String> refusedBy;
    private final AtomicBoolean over;

    FakeShare(Optional<String> refusedBy) {
      this.refusedBy = refusedBy;
      this.over = new AtomicBoolean(refusedBy.isPresent());
      begun.addAndGet(over.get() ? 0 : 1);
    }

    @Override
    public Optional<String> refusedBy() {
      return refusedBy;
    }

    @Override
    public void carried(long bytes) {
      carried.addAndGet(bytes);
    }

    @Override
    public void close() {
      if (over.compareAndSet(false, true)) {
        begun.decrementAndGet();
      }
    }
  }

  @Override
  public void close() {}

  private final class FakeVisit implements BridgeVisit {
    private final Publication publication;
    private final Principal principal;

    FakeVisit(Publication publication, Principal principal) {
      this.publication = publication;
      this.principal = principal;
    }

    @Override
    public RemoteObject named(RegistryName name) {
      return (method, arguments) ->
          call(
              () ->
                  LocateRegistry.getRegistry(name.registry().host(), name.registry().port())
                      .lookup(name.name()),
              method,
              arguments);
    }

    @Override
    public RemoteObject referenced(HeldReference reference) {
      return (method, arguments) -> call(() -> own(reference).stub, method, arguments);
    }

    private FakeHeld own(HeldReference reference) {
      if (!reference.principal().isSameAs(principal)) {
        throw new IllegalArgumentException("of " + reference.principal());
      }
      return (FakeHeld) reference;
    }

    private Object call(Callable<Object> target, Method method, Object[] arguments)
        throws CallFailure {
      calls.incrementAndGet();
      if (failing.isPresent()) {
        throw failing.get();
      }
      try {
        gate.await();
        Object[] own = new Object[arguments.length];
        Class<?>[] types = method.getParameterTypes();
        for (int i = 0; i < own.length; i++) {
          own[i] = arguments[i] instanceof Remote remote ? stub(remote) : arguments[i];
          types[i] = types[i].isPrimitive() ? types[i] : Class.forName(types[i].getName());
        }
        Object result =
            Class.forName(method.getDeclaringClass().getName())
                .getMethod(method.getName(), types)
                .invoke(target.call(), own);
        return result instanceof Remote remote
            ? proxy(remote, publication.loader().loadClass(method.getReturnType().getName()))
            : copy(result);
      } catch (InvocationTargetException e) {
        boolean lost = e.getCause() instanceof RemoteException;
        throw new CallFailure(
            lost ? Kind.LOST : Kind.THROWN, "failed", (Throwable) copied(e.getCause()));
      } catch (Exception e) {
        throw new CallFailure(Kind.UNREACHABLE, "not reached", e);
      }
    }

    private Object proxy(Remote stub, Class<?> type) {
      return Proxy.newProxyInstance(publication.loader(), new Class<?>[] {type}, new Stub(stub));
    }

    private Object copied(Object value) {
      try {
        return copy(value);
      } catch (IOException | ClassNotFoundException e) {
        throw new AssertionError(e);
      }
    }

    private Object copy(Object value) throws IOException, ClassNotFoundException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(value);
      }
      try (ObjectInputStream in =
          new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())) {
            @Override
            protected Class<?> resolveClass(ObjectStreamClass described)
                throws ClassNotFoundException {
              return Class.forName(described.getName(), false, publication.loader());
            }
          }) {
        return in.readObject();
      }
    }

    @Override
    public Optional<Object> argument(HeldReference reference, Class<?> type) {
      Remote stub = own(reference).stub;
      boolean fits =
          Stream.of(stub.getClass().getInterfaces())
              .anyMatch(implemented -> implemented.getName().equals(type.getName()));
      return fits ? Optional.of(proxy(stub, type)) : Optional.empty();
    }

    @Override
    public HeldReference keep(Object reference) {
      FakeHeld kept = new FakeHeld(principal, stub((Remote) reference));
      held.add(kept);
      return kept;
    }

    @Override
    public void close() {}
  }

  /** What stands behind a reference of a publication's loader. Not called there. */
  private record Stub(Remote stub) implements InvocationHandler {
    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      throw new UnsupportedOperationException(method.getName());
    }
  }

  private static Remote stub(Remote reference) {
    return ((Stub) Proxy.getInvocationHandler(reference)).stub();
  }

  private final class FakeHeld implements HeldReference {
    private final Principal principal;
    private final Remote stub;

    FakeHeld(Principal principal, Remote stub) {
      this.principal = principal;
      this.stub = stub;
    }

    @Override
    public Principal principal() {
      return principal;
    }

    @Override
    public EndpointId endpoint() {
      return new EndpointId("inside.example", 1);
    }

    @Override
    public String object() {
      return "[0:0:0, 1]";
    }

    @Override
    public List<String> interfaces() {
      return List.of();
    }

    @Override
    public void close() {
      held.remove(this);
    }
  }
}
