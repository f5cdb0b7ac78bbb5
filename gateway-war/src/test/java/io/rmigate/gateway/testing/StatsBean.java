package io.rmigate.gateway.testing;

import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerDelegate;
import javax.management.ObjectName;

/** The MBean of rmigate in this JVM, which comes about a second after the first link. */
public final class StatsBean {
  private StatsBean() {}

  /** The value of an attribute, once there is the MBean. */
  public static Object attribute(String name) throws JMException, InterruptedException {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    ObjectName stats = new ObjectName("io.rmigate:type=Stats");
    CountDownLatch registered = new CountDownLatch(1);
    beans.addNotificationListener(
        MBeanServerDelegate.DELEGATE_NAME,
        (notification, handback) -> {
          if (beans.isRegistered(stats)) {
            registered.countDown();
          }
        },
        null,
        null);
    if (!beans.isRegistered(stats)) {
      registered.await();
    }
    return beans.getAttribute(stats, name);
  }
}
