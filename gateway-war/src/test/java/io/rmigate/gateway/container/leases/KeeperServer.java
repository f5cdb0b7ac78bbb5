package io.rmigate.gateway.container.leases;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.rmi.MarshalledObject;
import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMISocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.rmi.server.Unreferenced;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A server that holds its tokens weakly and collects garbage all the time. The argument is the port
 * of its registry; its objects are all on that port unless a property says otherwise, at 127.0.0.1
 * and nowhere else. Lives until its input ends; asked for {@code alive} it says {@code done} and
 * how many tokens are left. Says {@code called NAME#NUMBER} when an object is called for the first
 * time: its caller has a reference; and {@code unreferenced NAME#NUMBER} when the RMI runtime tells
 * it so.
 */
public final class KeeperServer implements Keeper {
  /** The system property with the port of all objects but the registry. */
  static final String OBJECT_PORT = "keeper.objects";

  private static final long COLLECT_EVERY_MILLIS = 300;

  /** Listens at one address, so that others do not lead here by chance. */
  private static final class OneAddress extends RMISocketFactory {
    @Override
    public Socket createSocket(String host, int port) throws IOException {
      return new Socket(host, port);
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
      return new ServerSocket(port, 50, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
    }
  }

  /** Referenced by nothing but the RMI runtime. */
  private static final class Named implements Token, Unreferenced {
    private final String name;
    private final AtomicBoolean called = new AtomicBoolean();

    Named(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      if (called.compareAndSet(false, true)) {
        System.out.println("called " + name);
      }
      return name;
    }

    @Override
    public void unreferenced() {
      System.out.println("unreferenced " + name);
    }
  }

  private final Map<String, WeakReference<Named>> tokens = new ConcurrentHashMap<>();
  private final Map<String, Token> given = new ConcurrentHashMap<>();
  private final AtomicLong objects = new AtomicLong();
  private final int port;

  private KeeperServer(int port) {
    this.port = port;
  }

  /** How many tokens are still here. */
  private long alive() {
    return tokens.values().stream().filter(token -> token.get() != null).count();
  }

  private Named token(String name) {
    Named[] found = new Named[1]; // held until it is marshalled
    tokens.compute(
        name,
        (same, known) -> {
          Named alive = known == null ? null : known.get();
          if (alive != null) {
            found[0] = alive;
            return known;
          }
          found[0] = new Named(name + "#" + objects.incrementAndGet());
          try {
            UnicastRemoteObject.exportObject(found[0], port);
          } catch (RemoteException failed) {
            throw new UncheckedIOException(failed);
          }
          return new WeakReference<>(found[0]);
        });
    return found[0];
  }

  @Override
  public Token take(String name) {
    return token(name);
  }

  @Override
  public List<Token> takeAll(List<String> names) {
    List<Token> all = new ArrayList<>();
    names.forEach(name -> all.add(token(name)));
    return all;
  }

  @Override
  public MarshalledObject<Token> wrapped(String name) throws RemoteException {
    try {
      Named token = token(name);
      return new MarshalledObject<>((Token) java.rmi.server.RemoteObject.toStub(token));
    } catch (IOException failed) {
      throw new RemoteException("not marshalled", failed);
    }
  }

  @Override
  public Token takeFrom(String host, int otherPort, String name)
      throws RemoteException, NotBoundException {
    return ((Keeper) LocateRegistry.getRegistry(host, otherPort).lookup("Keeper")).take(name);
  }

  @Override
  public void give(String key, Token token) {
    given.put(key, token);
  }

  @Override
  public Token fetch(String key) {
    return given.get(key);
  }

  @Override
  public void forget(String key) {
    given.remove(key);
  }

  /** The argument is the registry's port. */
  public static void main(String[] arguments) throws Exception {
    RMISocketFactory.setSocketFactory(new OneAddress());
    int port = Integer.parseInt(arguments[0]);
    Registry registry = LocateRegistry.createRegistry(port);
    int objectPort = Integer.getInteger(OBJECT_PORT, port);
    KeeperServer keeper = new KeeperServer(objectPort);
    registry.rebind("Keeper", UnicastRemoteObject.exportObject(keeper, objectPort));
    Thread collector =
        new Thread(
            () -> {
              try {
                while (true) {
                  Thread.sleep(COLLECT_EVERY_MILLIS);
                  System.gc();
                }
              } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
              }
            });
    collector.setDaemon(true);
    collector.start();
    System.out.println("keeper ready " + port);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      System.gc();
      if (line.equals("alive")) {
        System.out.println("done " + keeper.alive());
      }
    }
    UnicastRemoteObject.unexportObject(keeper, true);
  }
}
