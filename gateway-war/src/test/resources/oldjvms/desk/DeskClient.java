package desk;

import java.io.IOException;
import java.net.URI;
import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMISocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Prints a line for each kind of call. Arguments: host and port of the registry; then any of {@code bell} (calls back), {@code cut} (waits
 * for a line of input between two calls), a class of the JDK's own tunnelling, and a URL (of a gateway, reached by the library instead of a
 * javaagent).
 */
public final class DeskClient {
  private DeskClient() {}

  public static void main(String[] args) throws Exception {
    boolean bell = false;
    boolean cut = false;
    for (String more : Arrays.asList(args).subList(2, args.length)) {
      if (more.equals("bell")) {
        bell = true;
      } else if (more.equals("cut")) {
        cut = true;
      } else if (more.startsWith("sun.")) {
        RMISocketFactory.setSocketFactory((RMISocketFactory) Class.forName(more).newInstance());
      } else {
        install(URI.create(more));
      }
    }
    Registry registry = LocateRegistry.getRegistry(args[0], Integer.parseInt(args[1]));
    System.out.println("list: " + Arrays.toString(registry.list()));
    try {
      registry.lookup("absent");
    } catch (NotBoundException e) {
      System.out.println("lookup: " + e.getMessage());
    }
    Desk desk = (Desk) registry.lookup("desk");
    values(desk);
    failures(desk);
    references(desk);
    if (bell) {
      callbacks(desk);
    }
    if (cut) {
      System.out.println("cut: now");
      System.in.read();
      System.out.println("cut: " + desk.text("after"));
    }
    System.out.println("over");
    System.exit(0);
  }

  /** Rmigate.connect(gateway).install(), of a jar that this program is not compiled with. */
  private static void install(URI gateway) throws Exception {
    Class<?> type = Class.forName("io.rmigate.client.Rmigate");
    Object rmigate = type.getMethod("connect", URI[].class).invoke(null, (Object) new URI[] {gateway});
    type.getMethod("install").invoke(rmigate);
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

  private static void callbacks(Desk desk) throws RemoteException {
    Bell bell = text -> "rung " + text;
    Bell stub = (Bell) UnicastRemoteObject.exportObject(bell, 0);
    System.out.println("ring: " + desk.ring(stub, "once"));
    System.out.println("ring: " + desk.ring(stub, "twice"));
    UnicastRemoteObject.unexportObject(bell, true);
  }
}
