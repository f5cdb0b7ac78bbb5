package io.rmigate.sample;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
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

  private static final Pattern REMOTE_ADDRESS =
      Pattern.compile("\\.remoteAddress=\"service:jmx:rmi:[^\"]*:(\\d+)/jmxrmi\"");

  private JmxSample() {}

  /** Takes no arguments. */
  public static void main(String[] args) throws Exception {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    beans.registerMBean(new Thermostat(), new ObjectName(THERMOSTAT));
    System.out.println("jmx sample ready " + registryPort());
    new CountDownLatch(1).await();
  }

  /**
   * With port 0 only the JVM's performance counters say which one was taken, and they are shown to
   * the JDK's own tool: hence a short-lived process.
   */
  private static int registryPort() throws IOException, InterruptedException {
    Process jcmd =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(ProcessHandle.current().pid()),
                "PerfCounter.print")
            .redirectErrorStream(true)
            .start();
    String counters = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    jcmd.waitFor();
    Matcher address = REMOTE_ADDRESS.matcher(counters);
    if (!address.find()) {
      throw new IllegalStateException(
          "no remote management: start with -Dcom.sun.management.jmxremote.port=0; " + counters);
    }
    return Integer.parseInt(address.group(1));
  }
}
