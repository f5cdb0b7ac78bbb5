package io.rmigate.perf.papers;

import java.io.IOException;
import java.net.InetAddress;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMISocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.CountDownLatch;

/**
 * All servers of the papers in one JVM, listening at the local address that is its argument. Each
 * object has a port of its own, which to a client is the same as a JVM of its own: it needs a
 * connection and a lease there. Prints {@code papers ready}, the registry's port and the others.
 */
public final class PapersServer {
  /** Strong references: the registry's own are stubs. */
  private static final Map<String, Remote> BOUND = new LinkedHashMap<>();

  private PapersServer() {}

  /** Runs until it is ended. Exit code 1: it could not start. */
  public static void main(String[] args) throws InterruptedException {
    try {
      System.out.println("papers ready " + start(InetAddress.getByName(args[0])));
    } catch (IOException e) {
      e.printStackTrace();
      System.exit(1); // a registry that is already there would keep the JVM
    }
    new CountDownLatch(1).await();
  }

  /** Exports and binds everything; returns the ports. */
  private static String start(InetAddress address) throws IOException {
    ReservedPorts ports = new ReservedPorts(address);
    RMISocketFactory.setSocketFactory(ports);
    StringJoiner all = new StringJoiner(" ");
    int registryPort = ports.reserve();
    all.add(Integer.toString(registryPort));
    Registry registry = LocateRegistry.createRegistry(registryPort);
    for (Map.Entry<String, Remote> object : objects().entrySet()) {
      int port = ports.reserve();
      all.add(Integer.toString(port));
      registry.rebind(object.getKey(), UnicastRemoteObject.exportObject(object.getValue(), port));
    }
    return all.toString();
  }

  private static Map<String, Remote> objects() {
    BOUND.put(HelloWorld.NAME, (HelloWorld) () -> "Hello World!");
    for (int length : TextSource.LENGTHS) {
      BOUND.put(TextSource.NAME + length, (TextSource) seed -> FreshText.plain(length, seed));
    }
    BOUND.put(TestCases.NAME, new Echo());
    BOUND.put(ListProcessor.NAME, new Copier());
    return BOUND;
  }

  private static final class Echo implements TestCases {
    @Override
    public void nothing() {}

    @Override
    public byte[] returnPing(byte[] zeros) {
      return zeros;
    }

    @Override
    public void pingImage(byte[] image) {}

    @Override
    public void pingText(String html) {}

    @Override
    public String returnText(String html) {
      return html;
    }
  }

  private static final class Copier implements ListProcessor {
    @Override
    public <T extends Comparable<T>> List<T> processRequest(Collection<T> elements) {
      return new ArrayList<>(elements);
    }
  }
}
