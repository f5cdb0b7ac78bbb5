package io.rmigate.gateway.container.sidecar;

import java.rmi.registry.LocateRegistry;
import java.util.Arrays;

/** Lists what a registry has. Arguments: host, localhost if left out, and port. */
public final class Lister {
  private Lister() {}

  /** Prints {@code names […]} or {@code failed WHY}. */
  public static void main(String[] arguments) {
    String host = arguments.length > 1 ? arguments[0] : "localhost";
    int port = Integer.parseInt(arguments[arguments.length - 1]);
    try {
      System.out.println("names " + Arrays.toString(LocateRegistry.getRegistry(host, port).list()));
    } catch (java.rmi.RemoteException failure) {
      System.out.println("failed " + failure);
    }
  }
}
