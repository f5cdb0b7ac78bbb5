package io.rmigate.gateway.container.coldstart;

import io.rmigate.sample.Hello;
import java.rmi.registry.LocateRegistry;

/** A program that makes one lookup and one call; arguments: host and port of the registry. */
public final class ColdClient {
  private ColdClient() {}

  /** In the list of loaded classes this one stands behind those that the start needs. */
  private static final class Answered {
    static String text() {
      return "answered, Java ";
    }
  }

  /** Run by {@link ColdStartIT} in a JVM of its own. */
  public static void main(String[] arguments) throws Exception {
    Hello hello =
        (Hello)
            LocateRegistry.getRegistry(arguments[0], Integer.parseInt(arguments[1]))
                .lookup(Hello.NAME);
    hello.hello("cold");
    System.out.println(Answered.text() + Runtime.version().feature());
  }
}
