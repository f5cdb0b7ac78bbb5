package io.rmigate.gateway.boxes;

import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The server inside. Prints {@code depot ready <registry port> <object port>} and ends with its
 * input.
 */
public final class DepotServer implements Depot {
  private final Map<String, Integer> executed = new ConcurrentHashMap<>();
  private final byte[] parcel = madeUp();

  private DepotServer() {}

  /** Runs until its input ends. */
  public static void main(String[] args) throws Exception {
    DepotServer depot = new DepotServer();
    Registry registry = LocateRegistry.createRegistry(0);
    Depot stub = (Depot) UnicastRemoteObject.exportObject(depot, 0);
    registry.bind(NAME, stub);
    System.out.println("depot ready " + port(registry));
    while (System.in.read() >= 0) {
      // The test sends nothing; the end of the input ends the program.
    }
    System.exit(0);
  }

  private static String port(Registry registry) {
    return registry.toString().replaceAll("(?s).*:(\\d+)\\].*", "$1");
  }

  /** What {@link #parcel} brings. */
  static byte[] madeUp() {
    byte[] parcel = new byte[PARCEL_BYTES];
    new Random(50).nextBytes(parcel);
    return parcel;
  }

  @Override
  public int count(String client) {
    return executed.merge(client, 1, Integer::sum);
  }

  @Override
  public byte[] parcel() {
    return parcel;
  }

  @Override
  public int visit(Door door, int knocks) throws RemoteException {
    int answered = 0;
    for (int i = 0; i < knocks; i++) {
      answered += door.knock(i) == i ? 1 : 0;
    }
    return answered;
  }
}
