package io.rmigate.sample;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.RMISocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A registry and five remote objects in one JVM. What stands in their stubs is decided, as in any
 * RMI server, by {@code -Djava.rmi.server.hostname}.
 *
 * <pre>
 * --registry-port N   port of the registry; 0 (default) takes a free one
 * --object-port N     port of the remote objects; 0 (default) takes a free one
 * --bind ADDRESS      local address to listen at; default: all
 * </pre>
 *
 * <p>Prints {@code sample ready <registry port>} when everything is bound, and runs until it is
 * ended.
 */
public final class SampleServer {
  // Strong references: the registry's own are stubs, and an object without references is collected.
  private static final Map<String, Remote> BOUND = new LinkedHashMap<>();

  private SampleServer() {}

  /** Starts the server; see the class comment for the options. */
  public static void main(String[] args) throws Exception {
    Options options;
    try {
      options = Options.parse(args, "--registry-port", "--object-port", "--bind");
    } catch (IllegalArgumentException e) {
      System.err.println("SampleServer: " + e.getMessage());
      System.exit(2);
      return;
    }
    int port = start(options);
    System.out.println("sample ready " + port);
    new CountDownLatch(1).await();
  }

  /** Exports and binds all objects; returns the registry's port. */
  static int start(Options options) throws Exception {
    String bind = options.text("--bind", "");
    int objectPort = options.number("--object-port", 0);
    if (!bind.isEmpty()) {
      InetAddress address = InetAddress.getByName(bind);
      RMISocketFactory.setSocketFactory(new BoundSocketFactory(address));
    }
    AtomicInteger registryPort = new AtomicInteger();
    RMIServerSocketFactory listening =
        requested -> {
          ServerSocket socket =
              bind.isEmpty()
                  ? new ServerSocket(requested)
                  : new ServerSocket(requested, 0, InetAddress.getByName(bind));
          registryPort.set(socket.getLocalPort());
          return socket;
        };
    Registry registry =
        LocateRegistry.createRegistry(options.number("--registry-port", 0), null, listening);
    bind(registry, Hello.NAME, new GreetingHello(), objectPort);
    bind(registry, Catalogue.NAME, new StockedCatalogue(objectPort), objectPort);
    bind(registry, PerformanceTester.NAME, new ConstantPerformanceTester(), objectPort);
    bind(registry, Everything.NAME, new EverythingServant(objectPort), objectPort);
    bind(registry, Showcase.NAME, new ShowcaseServant(objectPort), objectPort);
    return registryPort.get();
  }

  private static void bind(Registry registry, String name, Remote object, int port)
      throws RemoteException {
    registry.rebind(name, UnicastRemoteObject.exportObject(object, port));
    BOUND.put(name, object);
  }
}
