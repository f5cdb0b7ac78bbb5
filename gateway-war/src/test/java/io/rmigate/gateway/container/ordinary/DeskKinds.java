package io.rmigate.gateway.container.ordinary;

import io.rmigate.gateway.container.ordinary.api.CountedSockets;
import io.rmigate.gateway.container.ordinary.api.Cursor;
import io.rmigate.gateway.container.ordinary.api.Desk;
import io.rmigate.gateway.container.ordinary.api.Listener;
import io.rmigate.gateway.container.ordinary.api.Order;
import io.rmigate.gateway.container.ordinary.api.Session;
import io.rmigate.gateway.container.ordinary.api.ShopException;
import io.rmigate.gateway.container.ordinary.api.Ticket;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Remote objects of both sides. */
final class DeskKinds {
  private final Desk desk;

  private DeskKinds(Desk desk) {
    this.desk = desk;
  }

  static void addTo(Kinds kinds) throws Exception {
    DeskKinds group = new DeskKinds(kinds.service(Desk.class));
    group.addSessions(kinds);
    group.addCallbacks(kinds);
  }

  private void addSessions(Kinds kinds) {
    kinds.add(
        "session of a factory",
        () -> {
          Session session = desk.open("ann");
          session.add(2);
          return session.user() + session.add(3);
        });
    kinds.add("reference as an argument", () -> desk.userOf(desk.open("bob")));
    kinds.add("no reference", desk::none);
    kinds.add(
        "references in a list",
        () -> {
          StringBuilder users = new StringBuilder();
          for (Session each : desk.sessions(3)) {
            users.append(each.user()).append(each.add(1)).append(' ');
          }
          return users;
        });
    kinds.add(
        "references in a map",
        () -> {
          List<String> users = new ArrayList<>();
          for (Map.Entry<String, Session> each : desk.sessionsByUser("x", "y").entrySet()) {
            users.add(each.getKey() + each.getValue().user());
          }
          return users;
        });
    kinds.add(
        "iterator of remote objects",
        () -> {
          List<String> users = new ArrayList<>();
          for (Cursor<Session> cursor = desk.cursor(3); cursor.hasNext(); ) {
            users.add(cursor.next().user());
          }
          return users;
        });
    kinds.add(
        "reference in a value",
        () -> {
          Ticket ticket = desk.ticket(new Ticket("5", desk.open("ann")));
          return ticket.number() + ticket.session().user();
        });
    kinds.add("equal references", () -> desk.lazySession().equals(desk.lazySession()));
    kinds.add("object that exists when it is called", () -> desk.lazySession().user());
    kinds.add(
        "socket factory",
        () -> {
          String user = desk.factorySession().user();
          return user + (CountedSockets.made() > 0);
        });
    kinds.addFailing(
        "closed session",
        () -> {
          Session session = desk.open("ann");
          session.close();
          return session.user();
        });
  }

  private void addCallbacks(Kinds kinds) {
    kinds.add("callback", () -> withListener((listener, stub) -> desk.tell(stub, "hello", 3)));
    kinds.add(
        "listeners that are registered",
        () ->
            withListener(
                (listener, stub) -> {
                  desk.register(new ArrayList<>(List.of(stub)));
                  int sum = desk.tellRegistered("news") + desk.tellRegistered("more news");
                  desk.register(new ArrayList<>());
                  return sum + " " + listener.heard;
                }));
    kinds.add("exported object itself", () -> withListener((own, stub) -> desk.tell(own, "x", 1)));
    kinds.add(
        "own reference comes back",
        () -> withListener((listener, stub) -> desk.returned(stub).heard("back", null)));
    kinds.addFailing(
        "callback that fails", () -> withListener((own, stub) -> desk.tell(stub, "fail", 1)));
  }

  private interface Use {
    Object of(Ear listener, Listener stub) throws Exception;
  }

  private static Object withListener(Use use) throws Exception {
    Ear listener = new Ear();
    Listener stub = (Listener) UnicastRemoteObject.exportObject(listener, 0);
    try {
      return use.of(listener, stub);
    } finally {
      UnicastRemoteObject.unexportObject(listener, true);
    }
  }

  /** Remembers what it heard. */
  private static final class Ear implements Listener {
    private final List<String> heard = new ArrayList<>(); // guarded by this

    @Override
    public synchronized int heard(String message, Order order)
        throws RemoteException, ShopException {
      if (message.startsWith("fail")) {
        throw new ShopException("deaf", 4, null);
      }
      heard.add(message);
      return message.length();
    }
  }
}
