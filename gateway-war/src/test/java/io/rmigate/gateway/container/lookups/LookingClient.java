package io.rmigate.gateway.container.lookups;

import io.rmigate.gateway.testing.StatsBean;
import io.rmigate.sample.Everything;
import io.rmigate.sample.Hello;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A client that does one thing for each line of standard input and says {@code did <what>} and what
 * came of it. Arguments: host and port of the registry.
 *
 * <pre>
 * unbound       looks up a name that is not bound
 * hello        looks up Hello and calls it
 * look         looks up Hello and says which interfaces it has
 * everything   looks up Everything and says which interfaces it has
 * port         says at which port is what was looked up last
 * call         calls what was looked up last
 * account      says which round trips and bytes of plain RMI rmigate has counted
 * list         says which names are bound
 * rebind       binds what is bound to Everything to Hello, too
 * </pre>
 */
public final class LookingClient {
  private static final Pattern ENDPOINT = Pattern.compile("endpoint:\\[[^\\]]*:(\\d+)");
  private static Remote last;

  private LookingClient() {}

  /** Says {@code looking} first; opens no connection by itself. */
  public static void main(String[] args) throws Exception {
    Registry registry = LocateRegistry.getRegistry(args[0], Integer.parseInt(args[1]));
    System.out.println("looking");
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      System.out.println("did " + line + " " + act(line, registry));
    }
    System.exit(0);
  }

  private static String interfaces(Remote found) {
    last = found;
    return Arrays.stream(found.getClass().getInterfaces())
        .map(Class::getSimpleName)
        .toList()
        .toString();
  }

  private static String act(String what, Registry registry) {
    try {
      switch (what) {
        case "unbound" -> registry.lookup("Unbound");
        case "look" -> {
          return interfaces(registry.lookup(Hello.NAME));
        }
        case "everything" -> {
          return interfaces(registry.lookup(Everything.NAME));
        }
        case "port" -> {
          Matcher endpoint = ENDPOINT.matcher(last.toString());
          return endpoint.find() ? endpoint.group(1) : "none in " + last;
        }
        case "account" -> {
          return StatsBean.attribute("PlainRoundTrips") + " " + StatsBean.attribute("PlainBytes");
        }
        case "list" -> {
          return List.of(registry.list()).toString();
        }
        case "rebind" -> {
          registry.rebind(Hello.NAME, registry.lookup(Everything.NAME));
          return "rebound";
        }
        case "hello" -> {
          last = registry.lookup(Hello.NAME);
          return ((Hello) last).hello("World");
        }
        case "call" -> {
          return ((Hello) last).hello("World");
        }
        default -> throw new IllegalArgumentException(what);
      }
      return "found";
    } catch (NotBoundException expected) {
      return "not bound";
    } catch (Exception failure) {
      return "failed " + failure;
    }
  }
}
