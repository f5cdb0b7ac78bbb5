package io.rmigate.gateway.container.ordinary;

import io.rmigate.gateway.container.ordinary.api.Desk;
import io.rmigate.gateway.container.ordinary.api.Session;
import io.rmigate.gateway.container.ordinary.api.Values;
import java.rmi.Naming;
import java.rmi.registry.Registry;
import java.util.Arrays;
import java.util.Hashtable;
import java.util.List;
import javax.naming.Context;
import javax.naming.InitialContext;

/** Lookups by all ways there are. */
final class RegistryKinds {
  private static final long PATIENCE_NANOS = 30_000_000_000L;
  private static final int LOOKS_EVERY_MILLIS = 50;

  private RegistryKinds() {}

  @SuppressWarnings({"BanJNDI", "JdkObsolete"}) // what is looked up is the test's own server
  static void addTo(Kinds kinds, String host, int port) throws Exception {
    Registry registry = kinds.registry();
    Desk desk = kinds.service(Desk.class);
    String address = "//" + host + ":" + port + "/";
    kinds.add("lookup by URL", () -> ((Values) Naming.lookup("rmi:" + address + "Values")));
    kinds.add(
        "lookup by JNDI",
        () -> {
          Hashtable<String, String> environment = new Hashtable<>();
          environment.put(
              Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.rmi.registry.RegistryContextFactory");
          environment.put(Context.PROVIDER_URL, "rmi:" + address);
          return ((Desk) new InitialContext(environment).lookup("Desk")).length("four");
        });
    kinds.addFailing("lookup of an unknown name", () -> registry.lookup("Nothing"));
    kinds.addFailing("lookup of null", () -> registry.lookup(null));
    kinds.add(
        "name beyond ASCII",
        () -> ((Values) registry.lookup(OrdinaryServer.FOREIGN_NAME)).string("read"));
    kinds.add("list", () -> sorted(registry.list()).contains("Desk"));
    kinds.add(
        "list by URL", () -> sorted(Naming.list("rmi:" + address)).contains(address + "Desk"));
    kinds.add(
        "names that come and go",
        () -> {
          desk.bind("guest", true);
          String first = ((Session) registry.lookup("guest")).user();
          desk.bind("guest", true);
          String second = ((Session) registry.lookup("guest")).user();
          desk.bind("guest", false);
          return first + second;
        });
    kinds.addFailing("lookup of what was unbound", () -> lookUpUntilItIsGone(registry));
  }

  /** What a registry has unbound may be found a little longer by clients that looked it up. */
  private static Object lookUpUntilItIsGone(Registry registry) throws Exception {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (System.nanoTime() - end < 0) {
      registry.lookup("guest");
      Thread.sleep(LOOKS_EVERY_MILLIS);
    }
    return "found all the time";
  }

  private static List<String> sorted(String[] names) {
    Arrays.sort(names);
    return Arrays.asList(names);
  }
}
