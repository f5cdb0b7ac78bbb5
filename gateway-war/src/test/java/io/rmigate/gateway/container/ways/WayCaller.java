package io.rmigate.gateway.container.ways;

import io.rmigate.client.Rmigate;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.sample.Hello;
import java.net.URI;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;

/**
 * Looks an object up and calls it. Arguments: the gateway's URL, the HTTP proxy, host and port of
 * the registry, and the configuration's {@code export}, with which it also binds an object of its
 * own if that is not {@code none}.
 */
public final class WayCaller {
  private WayCaller() {}

  /**
   * Prints {@code called ANSWER}, of the object that it has bound {@code bound STUB} and whether it
   * {@code comes back} as that, and {@code way LINE} for each; or {@code failed WHY}.
   */
  public static void main(String[] arguments) throws Exception {
    String host = arguments[2];
    try (Rmigate rmigate =
        Rmigate.builder()
            .gateway(URI.create(arguments[0]))
            .set(ConfigKey.PROXY, arguments[1])
            .tunnel(host + ":*")
            .set(ConfigKey.WAY, "auto")
            .set(ConfigKey.EXPORT, arguments[4])
            .set(ConfigKey.WAY_STAGGER, "20s") // it is not about who is faster
            .build()
            .install()) {
      int port = Integer.parseInt(arguments[3]);
      Registry registry = LocateRegistry.getRegistry(host, port);
      Hello hello = (Hello) registry.lookup(Hello.NAME);
      System.out.println("called " + hello.hello("the other side"));
      if (!"none".equals(arguments[4])) {
        Hello own = name -> name;
        Remote stub = UnicastRemoteObject.exportObject(own, 0);
        registry.rebind("own", stub);
        System.out.println("comes back " + registry.lookup("own").equals(stub));
        System.out.println("bound " + LocateRegistry.getRegistry("127.0.0.1", port).lookup("own"));
        UnicastRemoteObject.unexportObject(own, true);
      }
      rmigate.ways().forEach(line -> System.out.println("way " + line));
      System.out.println("done");
    } catch (Exception failure) {
      System.out.println("failed " + failure);
    }
    System.exit(0);
  }
}
