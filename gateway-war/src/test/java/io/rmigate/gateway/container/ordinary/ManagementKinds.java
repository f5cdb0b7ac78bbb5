package io.rmigate.gateway.container.ordinary;

import io.rmigate.gateway.container.ordinary.api.BoilerMXBean;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.management.Attribute;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import javax.management.Query;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Management by JMX. */
final class ManagementKinds {
  private final JMXServiceURL url;
  private final ObjectName boiler;
  private JMXConnector connector;

  private ManagementKinds(JMXServiceURL url, ObjectName boiler) {
    this.url = url;
    this.boiler = boiler;
  }

  static void addTo(Kinds kinds, String host, int port) throws Exception {
    new ManagementKinds(
            new JMXServiceURL("service:jmx:rmi:///jndi/rmi://" + host + ":" + port + "/jmxrmi"),
            new ObjectName(OrdinaryServer.BOILER))
        .addTo(kinds);
  }

  private void addTo(Kinds kinds) {
    kinds.add(
        "JMX attributes",
        () -> {
          beans().setAttribute(boiler, new Attribute("Target", 70));
          return beans().getAttribute(boiler, "Target");
        });
    kinds.add("JMX open types", () -> beans().getAttribute(boiler, "Readings").toString());
    kinds.add("JMX proxy", this::useProxy);
    kinds.add(
        "JMX queries",
        () ->
            beans()
                .queryNames(
                    new ObjectName("io.rmigate:*"),
                    Query.gt(Query.attr("Target"), Query.value(5))));
    kinds.add("JMX notifications", this::listen);
    kinds.add("JMX ends", closing());
  }

  private Callable<String> closing() {
    return () -> {
      beans();
      connector.close();
      return "closed";
    };
  }

  @SuppressWarnings("BanJNDI") // what the URL names is the test's own server
  private MBeanServerConnection beans() throws Exception {
    if (connector == null) {
      connector = JMXConnectorFactory.connect(url);
    }
    return connector.getMBeanServerConnection();
  }

  private String useProxy() throws Exception {
    BoilerMXBean proxy = JMX.newMXBeanProxy(beans(), boiler, BoilerMXBean.class);
    return proxy.describe(new String[] {"a", "b"}, 7).toString();
  }

  private String listen() throws Exception {
    BlockingQueue<String> received = new LinkedBlockingQueue<>();
    NotificationListener listener =
        (notification, handback) -> received.add(notification.getMessage() + " " + handback);
    beans().addNotificationListener(boiler, listener, null, "handback");
    beans().invoke(boiler, "heat", new Object[] {5}, new String[] {"int"});
    String first = received.poll(20, TimeUnit.SECONDS);
    beans().removeNotificationListener(boiler, listener);
    return first;
  }
}
