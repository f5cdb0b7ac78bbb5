package io.rmigate.gateway.container.services;

import io.rmigate.sample.Counter;
import io.rmigate.sample.Everything;
import io.rmigate.sample.Person;
import java.net.URL;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A client of RMI, for {@link GatedCallsIT}: host and port of the registry, and what to do. */
@SuppressWarnings("URLEqualsHashCode") // which is the attack
public final class GatedClient {
  private GatedClient() {}

  /** Says {@code worked}, or {@code refused} and what for each attack, then {@code over}. */
  public static void main(String[] args) throws Exception {
    Registry registry = LocateRegistry.getRegistry(args[0], Integer.parseInt(args[1]));
    Everything everything = (Everything) registry.lookup("Everything");
    if (args[2].equals("work")) {
      work(everything);
      System.out.println("worked");
    } else {
      // What the URLDNS gadget is made of: hashing one asks the name service.
      attack("gadget", everything, new HashMap<>(Map.of(new URL("http://127.0.0.1/"), 1)));
      attack("reference", everything, LocateRegistry.getRegistry("far.example", 7));
    }
    System.out.println("over");
    System.exit(0);
  }

  private static void work(Everything everything) throws RemoteException {
    Object values = List.of("x", 7, LocalDate.of(2020, 1, 2), Map.of("k", 1.5));
    check(everything.echo(values).equals(values));
    check(everything.echo(Person.numbered(7)).equals(Person.numbered(7)));
    Counter theirs = everything.newCounter(1);
    check(everything.incrementFor(theirs) == 2);
    Own own = new Own();
    check(everything.incrementFor((Counter) UnicastRemoteObject.exportObject(own, 0)) == 1);
    UnicastRemoteObject.unexportObject(own, true);
  }

  private static void check(boolean right) {
    if (!right) {
      throw new AssertionError();
    }
  }

  private static void attack(String name, Everything everything, Object argument) {
    try {
      everything.echo(argument);
      System.out.println("passed " + name);
    } catch (RemoteException refused) {
      System.out.println("refused " + name + " " + refused.getMessage().replaceAll("\\s+", " "));
    }
  }

  /** An object of this JVM. */
  private static final class Own implements Counter {
    private int count;

    @Override
    public synchronized int increment() {
      return ++count;
    }

    @Override
    public void unexport() {
      throw new UnsupportedOperationException();
    }
  }
}
