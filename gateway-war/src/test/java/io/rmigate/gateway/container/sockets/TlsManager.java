package io.rmigate.gateway.container.sockets;

import io.rmigate.gateway.testing.StatsBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import javax.management.Attribute;
import javax.management.MBeanServerConnection;
import javax.management.Notification;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import javax.rmi.ssl.SslRMIClientSocketFactory;

/**
 * Manages the JMX sample over TLS, as any console would, and says how. Arguments: host, port,
 * {@code plain} or {@code tls} for the registry.
 */
public final class TlsManager {
  private TlsManager() {}

  /** See above. Prints {@code managed CELSIUS}, or {@code failed WHY}, and what was carried. */
  @SuppressWarnings("BanJNDI") // what the URL names is the test's own server
  public static void main(String[] arguments) throws Exception {
    ObjectName thermostat = new ObjectName("io.rmigate.sample:type=Thermostat");
    Map<String, Object> environment = new HashMap<>();
    if (arguments[2].equals("tls")) {
      environment.put("com.sun.jndi.rmi.factory.socket", new SslRMIClientSocketFactory());
    }
    JMXServiceURL url =
        new JMXServiceURL(
            "service:jmx:rmi:///jndi/rmi://" + arguments[0] + ":" + arguments[1] + "/jmxrmi");
    BlockingQueue<Notification> told = new LinkedBlockingQueue<>();
    try (JMXConnector connector = JMXConnectorFactory.connect(url, environment)) {
      MBeanServerConnection beans = connector.getMBeanServerConnection();
      beans.addNotificationListener(thermostat, (notice, handback) -> told.add(notice), null, null);
      beans.setAttribute(thermostat, new Attribute("Target", 18.5));
      told.take();
      System.out.println("managed " + beans.getAttribute(thermostat, "Target"));
    } catch (Exception failure) {
      System.out.println("failed " + failure);
    }
    if (ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .anyMatch(option -> option.startsWith("-javaagent:") && !option.contains("stats=off"))) {
      System.out.printf(
          "opaque %s %s calls %s%n",
          StatsBean.attribute("OpaqueConnections"),
          StatsBean.attribute("OpaqueBytes"),
          StatsBean.attribute("Calls"));
    }
    System.out.println("bye");
  }
}
