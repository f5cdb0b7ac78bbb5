package io.rmigate.gateway.container.ordinary;

import java.nio.file.Path;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;

/**
 * The client: prints a line for each kind of call, its name, an arrow and the result, and at last
 * {@code bye}.
 *
 * <pre>
 * OrdinaryClient HOST PORT PLUGIN-JAR
 * </pre>
 */
public final class OrdinaryClient {
  private OrdinaryClient() {}

  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[1]);
    Registry registry = LocateRegistry.getRegistry(args[0], port);
    Kinds kinds = new Kinds(registry);
    ValueKinds.addTo(kinds);
    ContainerKinds.addTo(kinds);
    ShopKinds.addTo(kinds);
    OldShopKinds.addTo(kinds);
    DeskKinds.addTo(kinds);
    FailureKinds.addTo(kinds);
    RegistryKinds.addTo(kinds, args[0], port);
    PluginKinds.addTo(kinds, Path.of(args[2]));
    ManagementKinds.addTo(kinds, args[0], port);
    kinds.run();
    System.out.println("bye");
    System.exit(0);
  }
}
