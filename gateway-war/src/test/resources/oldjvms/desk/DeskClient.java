package desk;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMISocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.management.Attribute;
import javax.management.AttributeChangeNotification;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.rmi.RMIConnector;
import javax.management.remote.rmi.RMIServer;

/**
 * Prints a line for each kind of call. Arguments: host and port of the registry; then any of
 *
 * <ul>
 *   <li>{@code jmx}: uses the JMX connector in that registry
 *   <li>{@code bell}: is called back; {@code bell=PORT@ADDRESS}: exports at this port of this address
 *   <li>{@code cut}: waits for a line of input between two calls
 *   <li>{@code sockets}: sets a global socket factory, whose server sockets are those of the default one; {@code plain}: all are plain
 *   <li>{@code proxy=URL}: of the HTTP proxy to the gateway that is named next
 *   <li>a URL: of a gateway, reached by the library instead of a javaagent
 *   <li>a class of the JDK's own tunnelling
 * </ul>
 */
public final class DeskClient {
  private DeskClient() {}

  public static void main(String[] args) throws Exception {
    String bell = null;
    String proxy = null;
    boolean jmx = false;
    boolean cut = false;
    for (String more : Arrays.asList(args).subList(2, args.length)) {
      if (more.startsWith("bell")) {
        bell = more;
      } else if (more.equals("jmx")) {
        jmx = true;
      } else if (more.startsWith("proxy=")) {
        proxy = more.substring(6);
      } else if (more.equals("sockets")) {
        RMISocketFactory.setSocketFactory(new PlainSockets(RMISocketFactory.getDefaultSocketFactory()));
      } else if (more.equals("plain")) {
        RMISocketFactory.setSocketFactory(new PlainSockets(null));
      } else if (more.equals("cut")) {
        cut = true;
      } else if (more.startsWith("sun.")) {
        RMISocketFactory.setSocketFactory((RMISocketFactory) Class.forName(more).newInstance());
      } else {
        install(URI.create(more), proxy);
      }
    }
    Registry registry = LocateRegistry.getRegistry(args[0], Integer.parseInt(args[1]));
    String[] names = registry.list();
    Arrays.sort(names);
    System.out.println("list: " + Arrays.toString(names));
    try {
      registry.lookup("absent");
    } catch (NotBoundException e) {
      System.out.println("lookup: " + e.getMessage());
    }
    Desk desk = (Desk) registry.lookup("desk");
    values(desk);
    failures(desk);
    references(desk);
    leases(desk);
    if (jmx) {
      manage(registry);
    }
    if (bell != null) {
      callbacks(desk, bell);
    }
    if (cut) {
      System.out.println("cut: now");
      System.in.read();
      System.out.println("cut: " + desk.text("after"));
    }
    System.out.println("over");
    System.exit(0);
  }

  /**
   * Rmigate.connect(gateway).install(), of a jar that this program is not compiled with; with a proxy
   * Rmigate.builder().gateway(gateway).set(ConfigKey.PROXY, proxy).build().install().
   */
  private static void install(URI gateway, String proxy) throws Exception {
    Class<?> type = Class.forName("io.rmigate.client.Rmigate");
    Object rmigate;
    if (proxy == null) {
      rmigate = type.getMethod("connect", URI[].class).invoke(null, (Object) new URI[] {gateway});
    } else {
      Class<?> key = Class.forName("io.rmigate.client.config.ConfigKey");
      Object builder = type.getMethod("builder").invoke(null);
      builder.getClass().getMethod("gateway", URI.class).invoke(builder, gateway);
      builder.getClass().getMethod("set", key, String.class).invoke(builder, key.getField("PROXY").get(null), proxy);
      rmigate = builder.getClass().getMethod("build").invoke(builder);
    }
    type.getMethod("install").invoke(rmigate);
  }

  /** Without JNDI, because some run-time images lack its provider for RMI. */
  private static void manage(Registry registry) throws Exception {
    ObjectName lamp = new ObjectName("desk:type=Lamp");
    BlockingQueue<Object> changes = new LinkedBlockingQueue<>();
    try (JMXConnector connector = new RMIConnector((RMIServer) registry.lookup("jmxrmi"), null)) {
      connector.connect();
      MBeanServerConnection beans = connector.getMBeanServerConnection();
      System.out.println("beans: " + beans.queryNames(new ObjectName("desk:*"), null));
      beans.addNotificationListener(
          lamp, (change, handback) -> changes.add(((AttributeChangeNotification) change).getNewValue()), null, null);
      beans.setAttribute(lamp, new Attribute("On", true));
      System.out.println("on: " + beans.getAttribute(lamp, "On"));
      System.out.println("told: " + changes.poll(30, TimeUnit.SECONDS));
      System.out.println(
          "blink: " + beans.invoke(lamp, "blink", new Object[] {3}, new String[] {int.class.getName()}));
      beans.setAttribute(lamp, new Attribute("On", false));
      System.out.println("told: " + changes.poll(30, TimeUnit.SECONDS));
    }
  }

  private static void values(Desk desk) throws RemoteException {
    desk.nothing();
    System.out.println("add: " + desk.add(1, 2));
    System.out.println("wide: " + desk.wide(1L << 40, 2.5, 'c', true));
    System.out.println("text: " + desk.text("Gr\u00fc\u00dfe \u4f60").length());
    System.out.println("texts: " + Arrays.toString(desk.texts(new String[] {"a", null, ""})));
    System.out.println("bytes: " + desk.bytes(new byte[300000]).length);
    System.out.println("table: " + Arrays.deepToString(desk.table(new int[][] {{1, 2}, {}})));
    Item item = new Item("bolt", 7, Item.Kind.SMALL);
    System.out.println("list: " + desk.list(Arrays.asList(item, null, item)));
    Map<String, Item> items = new LinkedHashMap<>();
    items.put("one", item);
    System.out.println("map: " + desk.map(items));
    System.out.println("item: " + desk.item(new Item("nut", null, null)));
    System.out.println("kind: " + (desk.kind(Item.Kind.LARGE) == Item.Kind.LARGE));
    System.out.println("none: " + desk.none(null));
    System.out.println("slow: " + desk.slow(300));
  }

  private static void failures(Desk desk) throws RemoteException {
    try {
      desk.refused("gone");
    } catch (IOException e) {
      System.out.println("refused: " + e.getClass().getName() + ", " + e.getMessage());
    }
    try {
      desk.broken();
    } catch (IllegalStateException e) {
      System.out.println("broken: " + e.getMessage());
    }
  }

  private static void references(Desk desk) throws RemoteException {
    Desk other = desk.other("second");
    System.out.println("other: " + other.name());
    System.out.println("same: " + other.equals(desk.same(other)) + " " + desk.same(other).name());
  }

  /** The server keeps an object for as long as a client refers to it, and no longer. */
  private static void leases(Desk desk) throws Exception {
    String name = UUID.randomUUID().toString();
    Desk other = desk.other(name);
    System.out.println("held: " + !desk.forgot(name) + " " + other.name().equals(name));
    other = null;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    boolean forgot = false;
    while (!forgot && System.nanoTime() < end) {
      System.gc();
      Thread.sleep(20);
      forgot = desk.forgot(name);
    }
    System.out.println("released: " + forgot);
  }

  private static void callbacks(Desk desk, String where) throws RemoteException {
    Bell bell = text -> "rung " + text;
    int at = where.indexOf('@');
    Remote stub =
        at < 0
            ? UnicastRemoteObject.exportObject(bell, 0)
            : UnicastRemoteObject.exportObject(
                bell,
                Integer.parseInt(where.substring(where.indexOf('=') + 1, at)),
                null,
                port -> new ServerSocket(port, 50, InetAddress.getByName(where.substring(at + 1))));
    try {
      System.out.println("ring: " + desk.ring((Bell) stub, "once"));
      System.out.println("ring: " + desk.ring((Bell) stub, "twice"));
    } finally {
      UnicastRemoteObject.unexportObject(bell, true); // else the JVM goes on after a failure
    }
  }
}
