package io.rmigate.gateway.container.leases;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.rmi.MarshalledObject;
import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.rmi.server.Unreferenced;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A server that holds its tokens weakly, collects garbage all the time, and says {@code
 * unreferenced NAME} when the RMI runtime tells it so. The argument is the port of its registry;
 * its objects are all on that port. Lives until its input ends.
 */
public final class KeeperServer implements Keeper {
  private static final long COLLECT_EVERY_MILLIS = 300;

  /** Referenced by nothing but the RMI runtime. */
  private static final class Named implements Token, Unreferenced {
    private final String name;

    Named(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public void unreferenced() {
      System.out.println("unreferenced " + name);
    }
  }

  private final Map<String, WeakReference<Named>> tokens = new ConcurrentHashMap<>();
  private final int port;

  private KeeperServer(int port) {
    this.port = port;
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
          found[0] = new Named(name);
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

  /** The argument is the registry's port. */
  public static void main(String[] arguments) throws Exception {
    int port = Integer.parseInt(arguments[0]);
    Registry registry = LocateRegistry.createRegistry(port);
    KeeperServer keeper = new KeeperServer(port);
    registry.rebind("Keeper", UnicastRemoteObject.exportObject(keeper, port));
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
    while (in.readLine() != null) {
      System.gc();
    }
    UnicastRemoteObject.unexportObject(keeper, true);
    System.exit(0);
  }
}
