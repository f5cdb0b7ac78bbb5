package io.rmigate.gateway.container.callbacks;

import io.rmigate.gateway.testing.ExportAddress;
import java.lang.management.ManagementFactory;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.RemoteServer;
import java.rmi.server.ServerNotActiveException;
import java.rmi.server.UnicastRemoteObject;
import java.rmi.server.Unreferenced;
import javax.management.ObjectName;

/**
 * A client with bells, which nothing in it holds: they live as long as somebody elsewhere does.
 * Arguments: host and port of the tower's registry. Prints {@code at the tower}, and {@code
 * unreferenced NAME} when nobody holds a bell any more, and {@code rung NAME} each time. Each line
 * of its input is answered by a line that begins with {@code done} or {@code failed}: {@code hang
 * NAME}, {@code ring NAME}, {@code take NAME}, and {@code lost}, which says how many ports the
 * javaagent's MBean calls lost. Collects garbage all the time. With {@code -Dbell.at=ADDRESS:PORT}
 * bells are exported at that port, and it listens at that address only.
 */
public final class BellClient {

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
        tower.hang(words[1], (Bell) export(bell));
        return words[1];
      }
      case "ring" -> {
        return tower.ring(words[1]);
      }
      case "take" -> {
        tower.take(words[1]);
        return words[1];
      }
      case "lost" -> {
        return ManagementFactory.getPlatformMBeanServer()
            .getAttribute(new ObjectName("io.rmigate:type=Stats"), "CallbackPortsLost")
            .toString();
      }
      default -> throw new IllegalArgumentException(words[0]);
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
