package io.rmigate.sample;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.management.Attribute;
import javax.management.AttributeChangeNotification;
import javax.management.AttributeList;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.Notification;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Looks at a {@link JmxSample} as any JMX console would: queries, attributes, operations,
 * notifications. Says what it saw; ends with 0 if that is as it should be, else with 1.
 *
 * <pre>
 * JmxClient --url service:jmx:rmi:///jndi/rmi://HOST:PORT/jmxrmi [--seconds N]
 * </pre>
 *
 * <p>{@code --seconds} is how long it goes on to change the thermostat and to wait for the
 * notification of every change; once at least.
 */
public final class JmxClient {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private JmxClient() {}

  /** Runs everything; see the class comment for the options. */
  public static void main(String[] args) throws Exception {
    try {
      Options options = Options.parse(args, "--url", "--seconds");
      manage(options.text("--url", ""), options.number("--seconds", 0));
      System.out.println("jmx client: everything as it should be");
    } catch (IllegalArgumentException e) {
      System.err.println("JmxClient: " + e.getMessage());
      System.exit(2);
    } catch (IOException | JMException | IllegalStateException e) {
      System.out.println("  WRONG " + e);
      System.exit(1);
    }
  }

  /** Connects, uses every part of JMX, closes. */
  @SuppressWarnings("BanJNDI") // what the URL names is the caller's own server
  public static void manage(String url, int seconds)
      throws IOException, JMException, InterruptedException {
    try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(url))) {
      say("connection id", connector.getConnectionId());
      MBeanServerConnection beans = connector.getMBeanServerConnection();
      query(beans);
      attributes(beans);
      operations(beans);
      notifications(beans, seconds);
    }
  }

  private static void query(MBeanServerConnection beans) throws IOException, JMException {
    Set<ObjectName> names = beans.queryNames(new ObjectName("java.lang:*"), null);
    check(names.size() > 5, "few platform beans: " + names);
    say("queryNames java.lang:*", names.size() + " of " + beans.getMBeanCount() + " beans");
    say(
        "getMBeanInfo of the thermostat",
        beans.getMBeanInfo(thermostat()).getNotifications().length + " kind of notification");
  }

  private static void attributes(MBeanServerConnection beans) throws IOException, JMException {
    ObjectName memory = new ObjectName("java.lang:type=Memory");
    CompositeData heap = (CompositeData) beans.getAttribute(memory, "HeapMemoryUsage");
    check((long) heap.get("used") > 0, "no heap used");
    say("heap used", (long) heap.get("used") / 1024 + " KiB");
    AttributeList several =
        beans.getAttributes(
            new ObjectName("java.lang:type=Runtime"), new String[] {"VmName", "Uptime"});
    check(several.size() == 2, "attributes missing: " + several);
    say("VmName and Uptime", several.asList().get(0).getValue() + ", " + several.get(1));
  }

  private static void operations(MBeanServerConnection beans) throws IOException, JMException {
    Object threads =
        beans.invoke(
            new ObjectName("java.lang:type=Threading"),
            "dumpAllThreads",
            new Object[] {true, true},
            new String[] {"boolean", "boolean"});
    check(((CompositeData[]) threads).length > 0, "no threads");
    say("dumpAllThreads", ((CompositeData[]) threads).length + " threads");
    beans.setAttribute(thermostat(), new Attribute("Target", 21.5));
    CompositeData[] history =
        (CompositeData[])
            beans.invoke(
                thermostat(), "history", new Object[] {1}, new String[] {int.class.getName()});
    check(history[0].get("celsius").equals(21.5), "history lost the setting");
    say("history of the thermostat", history[0].get("celsius") + " degrees");
  }

  private static void notifications(MBeanServerConnection beans, int seconds)
      throws IOException, JMException, InterruptedException {
    BlockingQueue<Notification> arrived = new LinkedBlockingQueue<>();
    NotificationListener listener = (notification, handback) -> arrived.add(notification);
    beans.addNotificationListener(thermostat(), listener, null, null);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    int received = 0;
    do {
      double celsius = 15 + received % 10 + 0.25;
      beans.setAttribute(thermostat(), new Attribute("Target", celsius));
      Notification next = arrived.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      check(next != null, "no notification within " + PATIENCE);
      Object told = ((AttributeChangeNotification) next).getNewValue();
      check(told.equals(celsius), "told of " + told + " instead of " + celsius);
      received++;
    } while (System.nanoTime() < end && pause());
    beans.removeNotificationListener(thermostat(), listener);
    check(arrived.isEmpty(), "surplus notifications: " + arrived);
    say("notifications of changes", received + ", each with the value that was set");
  }

  /** Human pace, so that connections are idle, pinged and reused in between. */
  private static boolean pause() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(500);
    return true;
  }

  private static ObjectName thermostat() throws JMException {
    return new ObjectName(JmxSample.THERMOSTAT);
  }

  private static void check(boolean asItShouldBe, String otherwise) {
    if (!asItShouldBe) {
      throw new IllegalStateException(otherwise);
    }
  }

  private static void say(String what, Object result) {
    System.out.printf("  ok    %-50s %s%n", what, result);
  }
}
