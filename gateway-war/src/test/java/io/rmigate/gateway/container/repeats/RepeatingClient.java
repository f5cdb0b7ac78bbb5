package io.rmigate.gateway.container.repeats;

import java.net.SocketException;
import java.rmi.ConnectException;
import java.rmi.ConnectIOException;
import java.rmi.NoSuchObjectException;
import java.rmi.StubNotFoundException;
import java.rmi.UnknownHostException;
import java.rmi.registry.LocateRegistry;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Pays in three ways, each of which repeats calls by itself on what it takes for a failed connect.
 * Arguments: host and port of the registry. For each payment it prints {@code paid <how> <bytes>
 * <times executed> <classes of the failure> <its words>}, then {@code over}.
 */
public final class RepeatingClient {
  private static final int ATTEMPTS = 3;

  private RepeatingClient() {}

  private interface Payment {
    Object pay(int bytes) throws Exception;
  }

  /** Runs to its end. */
  @SuppressWarnings("BanJNDI") // a name in a registry of the test's own
  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[1]);
    Payments payments = (Payments) LocateRegistry.getRegistry(args[0], port).lookup(Payments.NAME);
    Payments bySpring = bySpring(args[0], port);
    JMXServiceURL url =
        new JMXServiceURL("service:jmx:rmi:///jndi/rmi://" + args[0] + ":" + port + "/jmxrmi");
    ObjectName name = new ObjectName(PaymentsServer.MBEAN);
    try (JMXConnector jmx = JMXConnectorFactory.connect(url)) {
      MBeanServerConnection beans = jmx.getMBeanServerConnection();
      for (int bytes : new int[] {0, 200_000}) {
        tell("loop", bytes, payments, size -> repeated(payments, size));
        tell("spring", bytes, payments, bySpring::pay);
        tell(
            "jmx",
            bytes,
            payments,
            size ->
                beans.invoke(name, "pay", new Object[] {size}, new String[] {int.class.getName()}));
      }
      System.out.println("beans " + beans.getMBeanCount()); // by the same connection
    }
    System.out.println("over");
    System.exit(0);
  }

  private static void tell(String how, int bytes, Payments payments, Payment payment)
      throws Exception {
    int before = payments.count();
    String outcome;
    try {
      outcome = "returned " + payment.pay(bytes);
    } catch (Exception failure) {
      outcome =
          chain(failure).map(each -> each.getClass().getName()).collect(Collectors.joining(","))
              + " "
              + chain(failure).map(Throwable::getMessage).collect(Collectors.joining(" "));
    }
    int executed = payments.count() - before;
    System.out.println(
        ("paid " + how + " " + bytes + " " + executed + " " + outcome).replaceAll("\\s+", " "));
  }

  private static Stream<Throwable> chain(Throwable failure) {
    return Stream.iterate(failure, each -> each != null, Throwable::getCause);
  }

  private static Object repeated(Payments payments, int bytes) throws Exception {
    for (int attempt = 1; ; attempt++) {
      try {
        return payments.pay(bytes);
      } catch (Exception failure) {
        if (attempt == ATTEMPTS || chain(failure).noneMatch(RepeatingClient::meansNoConnection)) {
          throw failure;
        }
      }
    }
  }

  private static boolean meansNoConnection(Throwable failure) {
    return failure instanceof ConnectException
        || failure instanceof ConnectIOException
        || failure instanceof UnknownHostException
        || failure instanceof NoSuchObjectException
        || failure instanceof StubNotFoundException
        || failure instanceof SocketException;
  }

  /** A proxy of Spring, which is on the class path of this program alone. */
  private static Payments bySpring(String host, int port) throws Exception {
    Class<?> type = Class.forName("org.springframework.remoting.rmi.RmiProxyFactoryBean");
    Object factory = type.getConstructor().newInstance();
    type.getMethod("setServiceUrl", String.class)
        .invoke(factory, "rmi://" + host + ":" + port + "/" + Payments.NAME);
    type.getMethod("setServiceInterface", Class.class).invoke(factory, Payments.class);
    type.getMethod("setRefreshStubOnConnectFailure", boolean.class).invoke(factory, true);
    type.getMethod("afterPropertiesSet").invoke(factory);
    return (Payments) type.getMethod("getObject").invoke(factory);
  }
}
