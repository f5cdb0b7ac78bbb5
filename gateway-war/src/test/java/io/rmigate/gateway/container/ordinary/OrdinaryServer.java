package io.rmigate.gateway.container.ordinary;

import io.rmigate.gateway.container.ordinary.api.Containers;
import io.rmigate.gateway.container.ordinary.api.OldShop;
import io.rmigate.gateway.container.ordinary.api.People;
import io.rmigate.gateway.container.ordinary.api.Person;
import io.rmigate.gateway.container.ordinary.api.Shelf;
import io.rmigate.gateway.container.ordinary.api.Shop;
import io.rmigate.gateway.container.ordinary.api.Values;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;

/**
 * The server: a registry with all services, and management. Prints {@code ordinary ready} and the
 * registry's port. Ends when it is interrupted.
 *
 * <pre>
 * OrdinaryServer PORT PLUGIN-JAR
 * </pre>
 */
public final class OrdinaryServer {
  /** The name of the MBean. */
  static final String BOILER = "io.rmigate:type=Boiler";

  /** A name that is no ASCII. */
  static final String FOREIGN_NAME = "B\u00fccher/\u65e5\u672c";

  /** Strong references to all exported and registered objects, so that none is collected. */
  private static final List<Object> HELD = new ArrayList<>();

  private OrdinaryServer() {}

  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[0]);
    Registry registry = LocateRegistry.createRegistry(port);
    HELD.add(registry);
    for (Class<?> each :
        List.of(Values.class, Containers.class, Shop.class, OldShop.class, Shelf.class)) {
      registry.rebind(each.getSimpleName(), export(each, OrdinaryServer::returnFirst));
    }
    DeskService desk = new DeskService(registry);
    HELD.add(desk);
    registry.rebind("Desk", UnicastRemoteObject.exportObject(desk, 0));
    PeopleService people = new PeopleService();
    HELD.add(people);
    registry.rebind("People", UnicastRemoteObject.exportObject(people, 0));
    registry.rebind(FOREIGN_NAME, export(Values.class, OrdinaryServer::returnFirst));
    bindPlugin(registry, Path.of(args[1]));
    startManagement(port);
    System.out.println("ordinary ready " + port);
    Thread.currentThread().join();
  }

  /** The service of a method that returns what it was given, or its name if that is nothing. */
  private static Object returnFirst(Object proxy, Method method, Object[] arguments) {
    if (method.getDeclaringClass() == Object.class) {
      return switch (method.getName()) {
        case "hashCode" -> System.identityHashCode(proxy);
        case "equals" -> proxy == arguments[0];
        default -> "service";
      };
    }
    if (method.getName().equals("many")) {
      return List.of(arguments).toString();
    }
    return arguments[0];
  }

  private static Remote export(Class<?> type, InvocationHandler service) throws RemoteException {
    Object object = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, service);
    HELD.add(object);
    return UnicastRemoteObject.exportObject((Remote) object, 0);
  }

  /** Exports as an application does whose classes are in a jar that it loads itself. */
  private static void bindPlugin(Registry registry, Path jar) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    URLClassLoader loader =
        new URLClassLoader(new URL[] {jar.toUri().toURL()}, OrdinaryServer.class.getClassLoader());
    HELD.add(loader);
    thread.setContextClassLoader(loader);
    try {
      Class<?> dial = Class.forName(PluginKinds.DIAL, true, loader);
      registry.rebind("Dial", export(dial, OrdinaryServer::returnFirst));
      registry.rebind("Plugin", export(Shelf.class, OrdinaryServer::returnFirst));
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static void startManagement(int port) throws Exception {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    beans.registerMBean(new Boiler(), new ObjectName(BOILER));
    JMXServiceURL url =
        new JMXServiceURL("service:jmx:rmi:///jndi/rmi://localhost:" + port + "/jmxrmi");
    var server = JMXConnectorServerFactory.newJMXConnectorServer(url, Map.of(), beans);
    server.start();
    HELD.add(server);
  }

  /** A repository in memory. */
  private static final class PeopleService implements People {
    private final Map<Integer, Person> people = new TreeMap<>(); // guarded by this

    @Override
    public synchronized Integer save(Person entity) {
      people.put(entity.getName().length(), entity);
      return entity.getName().length();
    }

    @Override
    public synchronized Person find(Integer key) {
      return people.get(key);
    }

    @Override
    public synchronized List<Person> findAll() {
      return new ArrayList<>(people.values());
    }
  }
}
