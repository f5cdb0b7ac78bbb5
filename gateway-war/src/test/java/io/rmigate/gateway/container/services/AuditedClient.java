package io.rmigate.gateway.container.services;

import io.rmigate.sample.Everything;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;

/**
 * A client of RMI, for {@link AuditIT}: host and port of the registry, a call id, and how many
 * calls to make with it. At last it tries to bind a name, which it may not.
 */
public final class AuditedClient {
  private AuditedClient() {}

  /** Says {@code calls answered}, then {@code bind refused}. */
  public static void main(String[] args) throws Exception {
    Registry registry = LocateRegistry.getRegistry(args[0], Integer.parseInt(args[1]));
    Everything everything = (Everything) registry.lookup("Everything");
    for (int i = 0; i < Integer.parseInt(args[3]); i++) {
      everything.execute(args[2]);
    }
    System.out.println("calls answered");
    try {
      registry.rebind("evil", everything);
      System.out.println("bind permitted");
    } catch (java.rmi.RemoteException refused) {
      System.out.println("bind refused");
    }
    System.exit(0);
  }
}
