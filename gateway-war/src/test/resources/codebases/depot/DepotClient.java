package depot;

import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Calls a depot, and says of each call what has come of it. */
public final class DepotClient implements Teller {
  private DepotClient() {}

  public static void main(String[] arguments) throws Exception {
    Depot depot =
        (Depot)
            LocateRegistry.getRegistry(arguments[0], Integer.parseInt(arguments[1]))
                .lookup("depot");
    say("take", () -> depot.take(new Parcel("first", 7)));
    say(
        "list",
        () -> {
          List<Object> parcels = new ArrayList<>();
          parcels.add(new Parcel("a", 1));
          parcels.add(new Parcel("b", 2));
          return depot.take(parcels);
        });
    say("give", depot::give);
    if (arguments.length > 2) {
      say("long", () -> depot.take(new Parcel("long", 3 << 20)));
      DepotClient teller = new DepotClient();
      UnicastRemoteObject.exportObject(teller, 0);
      say("ask", () -> depot.ask(teller));
    }
    System.out.println("over");
    System.exit(0);
  }

  private static void say(String what, Callable<Object> call) {
    try {
      System.out.println(what + ": " + call.call());
    } catch (Exception e) {
      Throwable cause = e;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      System.out.println(what + ": " + e.getClass().getSimpleName() + ", " + cause);
    }
  }

  @Override
  public Object tell(Object crate) {
    return crate + " and " + new Parcel("back", 7);
  }
}
