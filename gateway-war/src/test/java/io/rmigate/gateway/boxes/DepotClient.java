package io.rmigate.gateway.boxes;

import io.rmigate.gateway.testing.StatsBean;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * A client that does what it is told, line by line; of rmigate it knows the MBean. Arguments: host
 * and port of the registry, and a name of its own. Each line of its input is answered by one that
 * begins with {@code done} or {@code failed}:
 *
 * <pre>
 * lookup         done
 * calls N        done N        if the N-th call so far was also the N-th execution
 * parcel         done SHA-256
 * callbacks N    done N        knocks that were answered, if as many were heard
 * ways           done WAYS     the attribute Ways of rmigate's MBean, its lines joined by tabs;
 *                              nothing before there is one
 * </pre>
 */
public final class DepotClient implements Door {
  private final String name;
  private Depot depot;
  private int calls;
  private int heard;

  private DepotClient(String name) {
    this.name = name;
  }

  /** Runs until its input ends. */
  public static void main(String[] args) throws Exception {
    DepotClient client = new DepotClient(args[2]);
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      try {
        System.out.println("done " + client.obey(line.split(" "), args));
      } catch (Exception failed) {
        failed.printStackTrace();
        System.out.println("failed " + failed.toString().replaceAll("\\s+", " "));
      }
    }
    System.exit(0);
  }

  private String obey(String[] words, String[] args) throws Exception {
    return switch (words[0]) {
      case "lookup" -> {
        depot =
            (Depot)
                LocateRegistry.getRegistry(args[0], Integer.parseInt(args[1])).lookup(Depot.NAME);
        yield "";
      }
      case "calls" -> call(Integer.parseInt(words[1]));
      case "parcel" ->
          HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(depot.parcel()));
      case "callbacks" -> beCalled(Integer.parseInt(words[1]));
      case "ways" -> depot == null ? ways() : joined(StatsBean.attribute("Ways"));
      default -> throw new IllegalArgumentException(words[0]);
    };
  }

  private String call(int times) throws Exception {
    for (int i = 0; i < times; i++) {
      calls++;
      int executed = depot.count(name);
      if (executed != calls) {
        throw new IllegalStateException("call " + calls + " was execution " + executed);
      }
    }
    return Integer.toString(times);
  }

  private String beCalled(int times) throws Exception {
    int before = heard;
    UnicastRemoteObject.exportObject(this, 0);
    try {
      int answered = depot.visit(this, times);
      if (heard - before != answered) {
        throw new IllegalStateException(
            answered + " were answered, " + (heard - before) + " heard");
      }
      return Integer.toString(answered);
    } finally {
      UnicastRemoteObject.unexportObject(this, true);
    }
  }

  private static String ways() throws JMException {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    ObjectName stats = new ObjectName("io.rmigate:type=Stats");
    return beans.isRegistered(stats)
        ? joined(beans.getAttribute(stats, "Ways"))
        : ""; // as long as there is nothing to tell
  }

  private static String joined(Object ways) {
    return String.join("\t", (String[]) ways);
  }

  @Override
  public int knock(int number) {
    heard++;
    return number;
  }
}
