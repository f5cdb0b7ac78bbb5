package io.rmigate.gateway.container.lookups;

import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;

/**
 * Inside, without any tunnel: binds what one name of a registry is bound to under another name of
 * it, and says {@code rebound}. Arguments: host and port of the registry, from, to.
 */
public final class Rebinder {
  private Rebinder() {}

  /** Ends by itself. */
  public static void main(String[] args) throws Exception {
    Registry registry = LocateRegistry.getRegistry(args[0], Integer.parseInt(args[1]));
    registry.rebind(args[3], registry.lookup(args[2]));
    System.out.println("rebound");
    System.exit(0);
  }
}
