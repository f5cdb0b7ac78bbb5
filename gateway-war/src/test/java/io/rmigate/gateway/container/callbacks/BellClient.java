package io.rmigate.gateway.container.callbacks;

import io.rmigate.gateway.testing.ExportAddress;
import io.rmigate.gateway.testing.StatsBean;
import java.lang.management.ManagementFactory;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.RemoteServer;
import java.rmi.server.ServerNotActiveException;
import java.rmi.server.UnicastRemoteObject;
import java.rmi.server.Unreferenced;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;

/**
 * A client with bells, which nothing in it holds: a bell lives as long as another JVM holds it.
 * Arguments: host and port of the tower's registry. Prints {@code at the tower}, and {@code
 * unreferenced NAME} when no JVM holds a bell any more, and {@code rung NAME} each time. Each line
 * of its input is answered by a line that begins with {@code done} or {@code failed}: {@code hang
 * NAME}, {@code ring NAME}, {@code take NAME}, {@code own NAME}, which has the bell given back,
 * says whether its endpoint is the one that was hung up, and rings it, {@code registry PORT}, which
 * makes a registry and rings a bell that it is asked for at localhost, {@code attach}, which says
 * what a console that attaches to this JVM reads, and {@code lost}, which says how many ports the
 * javaagent's MBean calls lost. Collects garbage all the time. With {@code -Dbell.at=ADDRESS:PORT}
 * bells are exported at that port, and it listens at that address only.
 */
public final class BellClient {

  private static final Pattern ENDPOINT = Pattern.compile("endpoint:\\[([^\\]]+)\\]");

  /** Endpoints of stubs by the names of bells. */
  private static final Map<String, String> HUNG = new ConcurrentHashMap<>();

  /** In this JVM's own registry, which holds its stub only: it would be collected before a call. */
  private static final Bell OWN = new HangingBell("own");

  private record HangingBell(String name) implements Bell, Unreferenced {
    @Override
    public String ring() {
      System.out.println("rung " + name);
      try {
        return name + " rung by " + RemoteServer.getClientHost();
      } catch (ServerNotActiveException local) {
        return name + " rung from within";
      }
    }

    @Override
    public void unreferenced() {
      System.out.println("unreferenced " + name);
    }
  }

  /** See above. */
  public static void main(String[] arguments) throws Exception {
    Tower tower =
        (Tower)
            LocateRegistry.getRegistry(arguments[0], Integer.parseInt(arguments[1]))
                .lookup(Tower.NAME);
    System.out.println("at the tower");
    Commands.collectGarbage();
    Commands.obey(words -> "done " + obey(tower, words));
  }

  private static String obey(Tower tower, String[] words) throws Exception {
    switch (words[0]) {
      case "hang" -> {
        Bell bell = new HangingBell(words[1]);
        Bell stub = (Bell) export(bell);
        HUNG.put(words[1], endpoint(stub));
        tower.hang(words[1], stub);
        return words[1];
      }
      case "own" -> {
        Bell own = tower.give(words[1]);
        boolean same = endpoint(own).equals(HUNG.get(words[1]));
        return (same ? "the same, " : "another, ") + own.ring();
      }
      case "registry" -> {
        int port = Integer.parseInt(words[1]);
        LocateRegistry.createRegistry(port).rebind("own", export(OWN));
        return ((Bell) LocateRegistry.getRegistry("localhost", port).lookup("own")).ring();
      }
      case "attach" -> {
        return attached();
      }
      case "ring" -> {
        return tower.ring(words[1]);
      }
      case "take" -> {
        tower.take(words[1]);
        return words[1];
      }
      case "lost" -> {
        return StatsBean.attribute("CallbackPortsLost").toString();
      }
      default -> throw new IllegalArgumentException(words[0]);
    }
  }

  /** As a reference prints it. */
  private static String endpoint(Remote stub) {
    Matcher endpoint = ENDPOINT.matcher(stub.toString());
    if (!endpoint.find()) {
      throw new IllegalArgumentException(stub.toString());
    }
    return endpoint.group(1);
  }

  /**
   * What JConsole does with a local process, but for the attaching, which would take a JDK: this
   * JVM's own management agent is started, and asked over RMI.
   */
  @SuppressWarnings("BanJNDI") // it is this JVM that is asked
  private static String attached() throws Exception {
    JMXServiceURL any = new JMXServiceURL("service:jmx:rmi://");
    JMXConnectorServer server =
        JMXConnectorServerFactory.newJMXConnectorServer(
            any, null, ManagementFactory.getPlatformMBeanServer());
    server.start();
    try (JMXConnector console = JMXConnectorFactory.connect(server.getAddress())) {
      return console
          .getMBeanServerConnection()
          .getAttribute(new ObjectName("java.lang:type=Runtime"), "SpecName")
          .toString();
    } finally {
      server.stop();
    }
  }

  private static Remote export(Bell bell) throws Exception {
    String at = System.getProperty("bell.at");
    return at == null
        ? UnicastRemoteObject.exportObject(bell, 0)
        : ExportAddress.parse(at).export(bell);
  }

  private BellClient() {}
}
