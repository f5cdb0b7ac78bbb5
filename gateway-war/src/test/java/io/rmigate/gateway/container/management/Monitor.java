package io.rmigate.gateway.container.management;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.MBeanServerConnection;
import javax.management.Notification;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Reads from the JMX sample and tries to change it; prints a line for each step. Arguments: host,
 * port, and {@code read}, or {@code change}, which sets an attribute and nothing else.
 */
public final class Monitor {
  private static final String[] TARGET = {"Target"};

  private Monitor() {}

  /** See above. */
  @SuppressWarnings("BanJNDI") // what the URL names is the test's own server
  public static void main(String[] arguments) throws Exception {
    JMXServiceURL url =
        new JMXServiceURL(
            "service:jmx:rmi:///jndi/rmi://" + arguments[0] + ":" + arguments[1] + "/jmxrmi");
    ObjectName thermostat = new ObjectName("io.rmigate.sample:type=Thermostat");
    ObjectName memory = new ObjectName("java.lang:type=Memory");
    try (JMXConnector connector = JMXConnectorFactory.connect(url)) {
      MBeanServerConnection beans = connector.getMBeanServerConnection();
      if (arguments[2].equals("change")) {
        beans.setAttribute(thermostat, new Attribute("Target", 19.5));
        return;
      }
      BlockingQueue<Notification> notices = new LinkedBlockingQueue<>();
      step("names", () -> beans.queryNames(new ObjectName("java.lang:type=Mem*"), null).size());
      step("info", () -> beans.getMBeanInfo(thermostat).getAttributes().length);
      step("count", () -> beans.getMBeanCount() > 10);
      step("one", () -> beans.getAttribute(memory, "Verbose"));
      step("several", () -> beans.getAttributes(thermostat, TARGET).size());
      step("instance", () -> beans.isInstanceOf(memory, "java.lang.management.MemoryMXBean"));
      step(
          "listen",
          () -> {
            beans.addNotificationListener(
                thermostat, (notice, handback) -> notices.add(notice), null, null);
            return "done";
          });
      System.out.println("listening");
      System.in.read(); // until the target has been changed by another client
      step("heard", () -> notices.take().getType());
      step(
          "set",
          () -> {
            beans.setAttribute(thermostat, new Attribute("Target", 30.5));
            return "done";
          });
      step("set several", () -> beans.setAttributes(thermostat, new AttributeList()));
      step("invoke", () -> beans.invoke(memory, "gc", null, null));
      step(
          "unregister",
          () -> {
            beans.unregisterMBean(thermostat);
            return "done";
          });
      step(
          "create",
          () -> beans.createMBean("javax.management.timer.Timer", new ObjectName("x:type=Timer")));
      step("left", () -> beans.isRegistered(thermostat));
    }
    System.out.println("bye");
  }

  private static void step(String name, Callable<?> action) {
    String outcome;
    try {
      outcome = String.valueOf(action.call());
    } catch (Exception failure) {
      outcome = "refused " + failure.getClass().getSimpleName();
    }
    System.out.println(name + ": " + outcome);
  }
}
