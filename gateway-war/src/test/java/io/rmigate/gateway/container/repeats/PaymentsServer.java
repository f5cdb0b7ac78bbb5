package io.rmigate.gateway.container.repeats;

import io.rmigate.gateway.container.repeats.Payments.Receipt;
import java.lang.management.ManagementFactory;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import javax.management.remote.JMXServiceURL;
import javax.management.remote.rmi.RMIConnectorServer;
import javax.management.remote.rmi.RMIJRMPServerImpl;

/** The server inside. Prints {@code payments ready <registry port>} and ends with its input. */
public final class PaymentsServer implements Payments, Paying {
  /** The name of {@link Paying} as an MBean. */
  static final String MBEAN = "io.rmigate.test:type=Payments";

  private final AtomicInteger count = new AtomicInteger();

  private PaymentsServer() {}

  /** Runs until its input ends. */
  public static void main(String[] args) throws Exception {
    PaymentsServer payments = new PaymentsServer();
    Registry registry = LocateRegistry.createRegistry(0);
    registry.bind(Payments.NAME, UnicastRemoteObject.exportObject(payments, 0));
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName(MBEAN);
    beans.registerMBean(new StandardMBean(payments, Paying.class), name);
    RMIJRMPServerImpl management = new RMIJRMPServerImpl(0, null, null, Map.of());
    RMIConnectorServer connectors =
        new RMIConnectorServer(new JMXServiceURL("rmi", null, 0), Map.of(), management, beans);
    connectors.start();
    registry.bind("jmxrmi", management.toStub());
    System.out.println(
        "payments ready " + registry.toString().replaceAll("(?s).*:(\\d+)\\].*", "$1"));
    while (System.in.read() >= 0) {
      // The test sends nothing; the end of the input ends the program.
    }
    connectors.stop();
    beans.unregisterMBean(name);
  }

  @Override
  public Object pay(int bytes) {
    return new Object[] {new byte[bytes], new Receipt(count.incrementAndGet())};
  }

  @Override
  public int count() {
    return count.get();
  }
}
