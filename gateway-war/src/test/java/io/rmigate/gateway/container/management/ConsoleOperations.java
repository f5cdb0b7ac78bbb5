package io.rmigate.gateway.container.management;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.management.Attribute;
import javax.management.AttributeChangeNotification;
import javax.management.AttributeChangeNotificationFilter;
import javax.management.JMX;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServerConnection;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import javax.management.Query;
import javax.management.QueryExp;
import javax.management.ValueExp;
import javax.management.modelmbean.ModelMBeanInfo;
import javax.management.openmbean.TabularData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * What jconsole, VisualVM, JDK Mission Control and exporters do with a JVM, one line each: what was
 * done, an arrow, what came of it. A line that begins with {@code grant} is of an operation that
 * needs {@code jmx-grants} at a gateway. Ends with {@code bye}.
 *
 * <pre>
 * ConsoleOperations HOST PORT
 * </pre>
 */
final class ConsoleOperations {
  private static final String DIAGNOSTIC = "com.sun.management:type=HotSpotDiagnostic";
  private static final String COMMANDS = "com.sun.management:type=DiagnosticCommand";
  private static final String RECORDER = "jdk.management.jfr:type=FlightRecorder";

  private final MBeanServerConnection beans;

  private ConsoleOperations(MBeanServerConnection beans) {
    this.beans = beans;
  }

  @SuppressWarnings("BanJNDI") // what the URL names is the test's own server
  public static void main(String[] args) throws Exception {
    JMXServiceURL url =
        new JMXServiceURL("service:jmx:rmi:///jndi/rmi://" + args[0] + ":" + args[1] + "/jmxrmi");
    step("wrong password", () -> connect(url, "control", "wrong"));
    step("no password", () -> JMXConnectorFactory.connect(url));
    try (JMXConnector monitor = connect(url, "monitor", "look")) {
      MBeanServerConnection limited = monitor.getMBeanServerConnection();
      ObjectName refusals = new ObjectName(ManagedServer.REFUSALS);
      step("monitor reads", () -> limited.getAttribute(refusals, "Count"));
      step(
          "monitor sets",
          () -> {
            limited.setAttribute(refusals, new Attribute("Count", 4));
            return "done";
          });
    } catch (IOException | SecurityException notPermitted) {
      System.out.println("monitor -> " + text(notPermitted));
      System.out.println("bye");
      return;
    }
    try (JMXConnector control = connect(url, "control", "act")) {
      new ConsoleOperations(control.getMBeanServerConnection()).all();
    }
    System.out.println("bye");
  }

  @SuppressWarnings("BanJNDI") // what the URL names is the test's own server
  private static JMXConnector connect(JMXServiceURL url, String user, String password)
      throws IOException {
    Map<String, Object> environment = new HashMap<>();
    environment.put(JMXConnector.CREDENTIALS, new String[] {user, password});
    return JMXConnectorFactory.connect(url, environment);
  }

  private static void step(String name, Callable<?> operation) {
    String outcome;
    try {
      outcome = String.valueOf(operation.call());
    } catch (Exception e) {
      outcome = "threw " + text(e);
    }
    System.out.println(name + " -> " + outcome.replaceAll("\\s+", " "));
  }

  private static String text(Throwable thrown) {
    StringBuilder text = new StringBuilder();
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      text.append(each).append(" / ");
    }
    return text.toString().replaceAll("\\s+", " ");
  }

  private void all() throws Exception {
    metadata();
    browse();
    queries();
    refusals();
    models();
    notifications();
    platform();
    step(
        "grant heap dump",
        () -> {
          diagnostic().dumpHeap("none", true);
          return "dumped";
        });
    step("grant VM option", () -> diagnostic().getVMOption("MaxHeapSize").getName());
    step("grant histogram", () -> command("gcClassHistogram").length() > 100);
    step("grant recording", () -> beans.invoke(name(RECORDER), "newRecording", null, null) != null);
    step(
        "grant create",
        () -> {
          ObjectName timer = name("io.rmigate:type=Timer");
          beans.createMBean("javax.management.timer.Timer", timer);
          beans.unregisterMBean(timer);
          return "created";
        });
    step("connected after what was refused", () -> beans.getDefaultDomain());
  }

  /** What consoles ask of any MBean before they know what it is for. */
  private void metadata() throws Exception {
    for (String each : new String[] {DIAGNOSTIC, COMMANDS, RECORDER}) {
      ObjectName name = name(each);
      step(each + " registered", () -> beans.isRegistered(name));
      step(each + " instance", () -> beans.getObjectInstance(name));
      step(each + " instance of", () -> beans.isInstanceOf(name, "java.lang.Object"));
      step(each + " info", () -> beans.getMBeanInfo(name).getOperations().length > 2);
      step(each + " query", () -> beans.queryNames(name, null));
    }
    step(
        "options",
        () -> ((Object[]) beans.getAttribute(name(DIAGNOSTIC), "DiagnosticOptions")).length > 3);
  }

  /** The MBeans of the tree, as jconsole and Mission Control show it. */
  private void browse() throws Exception {
    for (ObjectName name : new TreeSet<>(beans.queryNames(null, null))) {
      step(
          "browse " + name,
          () -> {
            MBeanInfo info = beans.getMBeanInfo(name);
            String[] readable =
                Arrays.stream(info.getAttributes())
                    .filter(MBeanAttributeInfo::isReadable)
                    .map(MBeanAttributeInfo::getName)
                    .toArray(String[]::new);
            return readable.length
                + " attributes, "
                + (name.toString().equals(RECORDER) // reading them begins a recording
                    ? "not read"
                    : beans.getAttributes(name, readable).size() > readable.length / 2);
          });
    }
  }

  private void queries() throws Exception {
    ObjectName own = name("io.rmigate:*");
    ValueExp count = Query.attr("Count");
    query("one relation", own, Query.gt(count, Query.value(1)));
    query(
        "conditions",
        own,
        Query.and(
            Query.or(Query.geq(count, Query.value(1L)), Query.lt(count, Query.value(1.5))),
            Query.not(Query.eq(count, Query.value(true)))));
    query("match", null, Query.match(Query.attr("Name"), Query.value("*Eden*")));
    query("between", own, Query.between(count, Query.value(1), Query.value(5)));
    query("in", own, Query.in(count, new ValueExp[] {Query.value(3), Query.value("x")}));
    query(
        "arithmetic",
        own,
        Query.eq(Query.plus(count, Query.times(count, Query.value(2))), Query.value(9)));
    query("class", null, Query.eq(Query.classattr(), Query.value(Refusals.class.getName())));
    query(
        "qualified", null, Query.gt(Query.attr(Refusals.class.getName(), "Count"), Query.value(0)));
    query(
        "instance of",
        null,
        Query.isInstanceOf(Query.value("java.lang.management.MemoryPoolMXBean")));
    query(
        "instance of what has a grant",
        null,
        Query.or(
            Query.isInstanceOf(Query.value("com.sun.management.HotSpotDiagnosticMXBean")),
            Query.isInstanceOf(Query.value("javax.management.loading.MLet"))));
  }

  private void query(String name, ObjectName among, QueryExp query) {
    step(
        "query " + name,
        () -> {
          Set<ObjectName> found = beans.queryNames(among, query);
          return found.size() + " " + (beans.queryMBeans(among, query).size() == found.size());
        });
  }

  private void refusals() throws Exception {
    ObjectName name = name(ManagedServer.REFUSALS);
    Map<?, ?> permissions = (Map<?, ?>) beans.getAttribute(name, "Permissions");
    System.out.println("permissions -> " + permissions.size());
    for (Object permission : permissions.keySet()) {
      step(
          "refuse " + permission,
          () ->
              beans.invoke(
                  name,
                  "refuse",
                  new Object[] {permission},
                  new String[] {String.class.getName()}));
    }
  }

  private void models() throws Exception {
    ObjectName name = name(ManagedServer.MODEL);
    step(
        "model",
        () -> {
          MBeanInfo info = beans.getMBeanInfo(name);
          ModelMBeanInfo model = (ModelMBeanInfo) info;
          return model.getAttribute("Count").getDescriptor().getFieldValue("getMethod")
              + " "
              + info.getOperations().length
              + info.getConstructors().length
              + model.getNotification("Count").getNotifTypes().length;
        });
    step("model attribute", () -> beans.getAttribute(name, "Count"));
  }

  private void notifications() throws Exception {
    ObjectName model = name(ManagedServer.MODEL);
    BlockingQueue<String> received = new LinkedBlockingQueue<>();
    NotificationListener listener =
        (notification, handback) ->
            received.add(
                ((AttributeChangeNotification) notification).getNewValue() + " " + handback);
    AttributeChangeNotificationFilter filter = new AttributeChangeNotificationFilter();
    filter.enableAttribute("Count");
    step(
        "notification",
        () -> {
          beans.addNotificationListener(model, listener, filter, "handback");
          beans.setAttribute(model, new Attribute("Count", 5));
          String next = received.poll(20, TimeUnit.SECONDS);
          beans.removeNotificationListener(model, listener);
          beans.setAttribute(model, new Attribute("Count", 3));
          return next;
        });
    ObjectName server = name("JMImplementation:type=MBeanServerDelegate");
    step(
        "registrations",
        () -> {
          beans.addNotificationListener(server, listener, null, null);
          beans.removeNotificationListener(server, listener);
          return "listened";
        });
    ObjectName recorder = name(RECORDER);
    step(
        "recordings",
        () -> {
          beans.addNotificationListener(recorder, listener, null, null);
          beans.removeNotificationListener(recorder, listener);
          return "listened";
        });
  }

  private void platform() throws Exception {
    ThreadMXBean threads =
        ManagementFactory.newPlatformMXBeanProxy(
            beans, "java.lang:type=Threading", ThreadMXBean.class);
    step("thread dump", () -> threads.dumpAllThreads(true, true).length > 3);
    step("deadlocks", threads::findDeadlockedThreads);
    step(
        "system properties",
        () ->
            ((TabularData) beans.getAttribute(name("java.lang:type=Runtime"), "SystemProperties"))
                    .size()
                > 20);
    step(
        "threshold",
        () -> {
          for (ObjectName pool : beans.queryNames(name("java.lang:type=MemoryPool,*"), null)) {
            MemoryPoolMXBean bean = JMX.newMXBeanProxy(beans, pool, MemoryPoolMXBean.class);
            if (bean.isUsageThresholdSupported()) {
              bean.setUsageThreshold(bean.getUsageThreshold());
            }
          }
          return "set";
        });
    step("collect", () -> beans.invoke(name("java.lang:type=Memory"), "gc", null, null));
  }

  private HotSpotDiagnosticMXBean diagnostic() throws Exception {
    return JMX.newMXBeanProxy(beans, name(DIAGNOSTIC), HotSpotDiagnosticMXBean.class);
  }

  private String command(String operation) throws Exception {
    return (String)
        beans.invoke(
            name(COMMANDS),
            operation,
            new Object[] {new String[0]},
            new String[] {String[].class.getName()});
  }

  private static ObjectName name(String text) throws Exception {
    return new ObjectName(text);
  }
}
