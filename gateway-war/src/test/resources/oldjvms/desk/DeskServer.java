package desk;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.rmi.server.Unreferenced;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;

/** Binds a desk and a JMX connector in a registry at the port of the first argument. Ends with its standard input. */
public final class DeskServer extends UnicastRemoteObject implements Desk, Unreferenced {
  private static final long serialVersionUID = 1;
  private static final Set<String> FORGOTTEN = ConcurrentHashMap.newKeySet();

  private final String name;

  private DeskServer(String name) throws RemoteException {
    this.name = name;
  }

  public static void main(String[] args) throws Exception {
    Registry registry = LocateRegistry.createRegistry(Integer.parseInt(args[0]));
    registry.bind("desk", new DeskServer("first"));
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    beans.registerMBean(new Lamp(), new ObjectName("desk:type=Lamp"));
    JMXServiceURL jmx = new JMXServiceURL("service:jmx:rmi:///jndi/rmi://localhost:" + args[0] + "/jmxrmi");
    JMXConnectorServerFactory.newJMXConnectorServer(jmx, null, beans).start();
    System.out.println("desk ready on " + System.getProperty("java.specification.version"));
    while (System.in.read() >= 0) {}
    System.exit(0);
  }

  @Override
  public void nothing() {}

  @Override
  public int add(int a, int b) {
    return a + b;
  }

  @Override
  public long wide(long a, double b, char c, boolean d) {
    return a + (long) b + c + (d ? 1 : 0);
  }

  @Override
  public String text(String text) {
    return text;
  }

  @Override
  public String[] texts(String[] texts) {
    return texts;
  }

  @Override
  public byte[] bytes(byte[] bytes) {
    return bytes;
  }

  @Override
  public int[][] table(int[][] table) {
    return table;
  }

  @Override
  public List<Item> list(List<Item> items) {
    return items;
  }

  @Override
  public Map<String, Item> map(Map<String, Item> items) {
    return items;
  }

  @Override
  public Item item(Item item) {
    return item;
  }

  @Override
  public Item.Kind kind(Item.Kind kind) {
    return kind;
  }

  @Override
  public Object none(Object none) {
    return none;
  }

  @Override
  public void refused(String why) throws IOException {
    throw new FileNotFoundException(why);
  }

  @Override
  public void broken() {
    throw new IllegalStateException("broken");
  }

  @Override
  public Desk other(String name) throws RemoteException {
    return new DeskServer(name);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Desk same(Desk desk) {
    return desk;
  }

  @Override
  public boolean forgot(String name) {
    System.gc();
    return FORGOTTEN.contains(name);
  }

  @Override
  public void unreferenced() {
    FORGOTTEN.add(name);
  }

  @Override
  public String ring(Bell bell, String text) throws RemoteException {
    return "told " + bell.rung(text);
  }

  @Override
  public String slow(int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      return "interrupted";
    }
    return "slept";
  }
}
