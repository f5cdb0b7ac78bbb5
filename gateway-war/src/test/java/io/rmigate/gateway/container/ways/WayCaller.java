package io.rmigate.gateway.container.ways;

import io.rmigate.client.Rmigate;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.sample.Hello;
import java.net.URI;
import java.rmi.registry.LocateRegistry;

/**
 * Looks an object up and calls it. Arguments: the gateway's URL, the HTTP proxy, host and port of
 * the registry.
 */
public final class WayCaller {
  private WayCaller() {}

  /** Prints {@code called ANSWER} and {@code way LINE} for each, or {@code failed WHY}. */
  public static void main(String[] arguments) throws Exception {
    String host = arguments[2];
    try (Rmigate rmigate =
        Rmigate.builder()
            .gateway(URI.create(arguments[0]))
            .set(ConfigKey.PROXY, arguments[1])
            .tunnel(host + ":*")
            .set(ConfigKey.WAY, "auto")
            .set(ConfigKey.EXPORT, "none") // would open the link at once
            .set(ConfigKey.WAY_STAGGER, "20s") // it is not about who is faster
            .build()
            .install()) {
      Hello hello =
          (Hello)
              LocateRegistry.getRegistry(host, Integer.parseInt(arguments[3])).lookup(Hello.NAME);
      System.out.println("called " + hello.hello("the other side"));
      rmigate.ways().forEach(line -> System.out.println("way " + line));
      System.out.println("done");
    } catch (Exception failure) {
      System.out.println("failed " + failure);
    }
    System.exit(0);
  }
}
