package depot;

import java.io.IOException;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;

/** Binds a depot in a registry of its own, and ends with its standard input. Runs on JDK 8. */
public final class DepotServer implements Depot {
  private static final DepotServer DEPOT = new DepotServer();

  private DepotServer() {}

  public static void main(String[] arguments) throws IOException {
    Registry registry = LocateRegistry.createRegistry(Integer.parseInt(arguments[0]));
    registry.rebind("depot", UnicastRemoteObject.exportObject(DEPOT, 0));
    System.out.println("depot ready on " + System.getProperty("java.specification.version"));
    while (System.in.read() >= 0) {
      // until the test closes the input
    }
    System.exit(0);
  }

  @Override
  public Object take(Object parcel) {
    return "took " + parcel;
  }

  @Override
  public Object give() {
    return new Crate("given", 7);
  }

  @Override
  public Object ask(Teller teller) throws RemoteException {
    return "told " + teller.tell(new Crate("shown", 7));
  }
}
