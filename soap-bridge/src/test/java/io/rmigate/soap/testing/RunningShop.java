package io.rmigate.soap.testing;

import io.rmigate.soap.call.CallFailure;
import io.rmigate.soap.call.CallFailure.Kind;
import io.rmigate.soap.call.CallPermission;
import io.rmigate.soap.call.Caller;
import io.rmigate.soap.call.RemoteReferences;
import io.rmigate.soap.publish.NotPublishedException;
import io.rmigate.soap.publish.Publication;
import io.rmigate.soap.publish.PublishEntry;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.rmi.ConnectException;
import java.rmi.MarshalledObject;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.RemoteObject;
import java.rmi.server.UnicastRemoteObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * The sample {@code Shop}, published, and served by a real RMI object of this JVM whose classes are
 * of another loader than the published ones. Calls go through a stub of the JDK.
 */
public final class RunningShop implements AutoCloseable {
  private static final String HANDLES = "https://gateway.example/handles/";
  private static final Instant FIRST_EXPIRY = Instant.parse("2026-11-21T12:00:00Z");

  private final Publication publication;
  private final URLClassLoader server;
  private final Remote servant;
  private final Object stub;
  private final List<Object> held = new ArrayList<>();
  private final AtomicInteger calls = new AtomicInteger();
  private boolean unexported;

  private RunningShop(Publication publication, URLClassLoader server, Remote servant, Object stub) {
    this.publication = publication;
    this.server = server;
    this.servant = servant;
    this.stub = stub;
  }

  /** Compiles, publishes and serves. */
  public static RunningShop in(Path directory) throws Exception {
    Path jars = Published.jars(directory, source());
    Publication publication = publish(jars);
    URLClassLoader server =
        new URLClassLoader(
            new URL[] {jars.resolve("shop.jar").toUri().toURL()},
            ClassLoader.getPlatformClassLoader());
    Constructor<?> constructor =
        Class.forName("shop.ShopServant", true, server).getDeclaredConstructor();
    constructor.setAccessible(true);
    Remote servant = (Remote) constructor.newInstance();
    Object stub =
        with(
            server,
            () -> {
              UnicastRemoteObject.exportObject(servant, 0);
              return new MarshalledObject<>(RemoteObject.toStub(servant));
            });
    Object published = with(publication.loader(), () -> ((MarshalledObject<?>) stub).get());
    return new RunningShop(publication, server, servant, published);
  }

  /** The source of the sample. */
  public static String source() throws IOException {
    try (InputStream in = RunningShop.class.getResourceAsStream("/samples/Shop.java")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Publishes the sample out of a directory. */
  public static Publication publish(Path jars) throws NotPublishedException {
    return Publication.of(
        new PublishEntry("examples/shop", "shop.Shop", jars, Set.of(), Map.of(), Map.of()));
  }

  private interface Action<T> {
    T run() throws Exception;
  }

  private static <T> T with(ClassLoader loader, Action<T> action) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return action.run();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  public Publication publication() {
    return publication;
  }

  /** How many calls have gone to RMI. */
  public int calls() {
    return calls.get();
  }

  /** A caller with all permissions. */
  public Caller caller() {
    return caller((contract, operation) -> true);
  }

  /** Calls the shop. */
  public Caller caller(CallPermission permission) {
    return new Caller((method, arguments) -> call(stub, method, arguments), references, permission);
  }

  /** A caller with all permissions, whose calls end before anything is sent. */
  public Caller uncalled(Runnable whenCalled) {
    return new Caller(
        (method, arguments) -> {
          whenCalled.run();
          throw new CallFailure(Kind.NOT_SENDABLE, "not sent", null);
        },
        references,
        (contract, operation) -> true);
  }

  /** Calls what a handle refers to. */
  public Caller callerOf(String href) {
    Object reference = references.resolve(href, Remote.class).orElseThrow();
    return new Caller(
        (method, arguments) -> call(reference, method, arguments),
        references,
        (contract, operation) -> true);
  }

  private Object call(Object target, Method method, Object[] arguments) throws CallFailure {
    calls.incrementAndGet();
    try {
      return with(publication.loader(), () -> method.invoke(target, arguments));
    } catch (InvocationTargetException e) {
      throw failure(e.getCause());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static CallFailure failure(Throwable cause) {
    if (cause instanceof ConnectException || cause instanceof NoSuchObjectException) {
      return new CallFailure(Kind.UNREACHABLE, "not reached", cause);
    }
    return new CallFailure(
        cause instanceof RemoteException && cause.getCause() == null ? Kind.LOST : Kind.THROWN,
        "failed",
        cause);
  }

  private final RemoteReferences references =
      new RemoteReferences() {
        @Override
        public Handle hold(Object reference, Class<?> type) {
          held.add(reference);
          return handle(held.size() - 1, FIRST_EXPIRY);
        }

        @Override
        public void withdraw() {
          // No answer that fails here has a reference in it.
        }

        private Handle handle(int number, Instant expires) {
          return new Handle(HANDLES + number, expires);
        }

        @Override
        public Optional<Object> resolve(String href, Class<?> type) {
          return number(href).map(held::get).filter(type::isInstance);
        }

        /** The number of a handle that was not released. */
        private Optional<Integer> number(String href) {
          return IntStream.range(0, held.size())
              .filter(i -> href.equals(HANDLES + i) && held.get(i) != null)
              .boxed()
              .findFirst();
        }

        @Override
        public Optional<Handle> renew(String href) {
          return number(href).map(i -> handle(i, FIRST_EXPIRY.plusSeconds(600)));
        }

        @Override
        public boolean release(String href) {
          return number(href).map(i -> held.set(i, null)).isPresent();
        }
      };

  /** Takes the object away from its clients. */
  public void unexport() throws NoSuchObjectException {
    unexported = true;
    UnicastRemoteObject.unexportObject(servant, true);
  }

  @Override
  public void close() throws IOException, ReflectiveOperationException {
    if (!unexported) {
      unexport();
    }
    var baskets = servant.getClass().getDeclaredField("exported");
    baskets.setAccessible(true);
    for (Object basket : (List<?>) baskets.get(servant)) {
      UnicastRemoteObject.unexportObject((Remote) basket, true);
    }
    publication.close();
    server.close();
  }
}
