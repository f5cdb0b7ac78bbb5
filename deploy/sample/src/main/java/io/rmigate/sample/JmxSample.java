package io.rmigate.sample;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * A JVM to be managed. Its remote management is stock and comes from the command line: {@code
 * -Dcom.sun.management.jmxremote.port=0 -Dcom.sun.management.jmxremote.authenticate=false
 * -Dcom.sun.management.jmxremote.ssl=false -Djava.rmi.server.hostname=...}. All this program adds
 * is a thermostat to look at.
 *
 * <p>Prints {@code jmx sample ready <port>} with the port of the management's registry, and runs
 * until it is ended.
 */
public final class JmxSample {
  /** The name of the {@link ThermostatMXBean}. */
  static final String THERMOSTAT = "io.rmigate.sample:type=Thermostat";

  /** Name and value of a counter in the JVM's file, where zero octets end them. */
  private static final Pattern REMOTE_ADDRESS =
      Pattern.compile("\\.remoteAddress\0+service:jmx:rmi:[^\0]*:(\\d+)/jmxrmi\0");

  private JmxSample() {}

  /** Takes no arguments. */
  public static void main(String[] args) throws Exception {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    beans.registerMBean(new Thermostat(), new ObjectName(THERMOSTAT));
    System.out.println("jmx sample ready " + registryPort());
    new CountDownLatch(1).await();
  }

  /**
   * With port 0 only the JVM's performance counters hold the port that was taken. The JVM shares
   * them in a file, which is where jcmd and jstat read them too.
   */
  private static int registryPort() {
    boolean linux = System.getProperty("os.name").equals("Linux");
    Path counters =
        Path.of(
            linux ? "/tmp" : System.getProperty("java.io.tmpdir"), // as HotSpot chooses
            "hsperfdata_" + System.getProperty("user.name"),
            Long.toString(ProcessHandle.current().pid()));
    String content;
    try {
      content = Files.readString(counters, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new IllegalStateException("the JVM's performance counters are not in " + counters, e);
    }
    Matcher address = REMOTE_ADDRESS.matcher(content);
    if (!address.find()) {
      throw new IllegalStateException(
          "no remote management: start with -Dcom.sun.management.jmxremote.port=0; "
              + counters
              + " has no remoteAddress");
    }
    return Integer.parseInt(address.group(1));
  }
}
