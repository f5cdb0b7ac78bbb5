package io.rmigate.gateway.container.chat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteServer;
import java.rmi.server.ServerNotActiveException;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The room. Prints {@code room ready PORT}, the port of its registry, which is also the argument
 * (0: any). Each line of its input is a command, and answered by one line: {@code done …} or {@code
 * failed EXCEPTION}.
 *
 * <pre>
 *   tell WHO TIMES       calls that listener TIMES times
 *   members              who is there
 *   where WHO            the endpoint that the reference to that listener names
 *   from WHO             the address from which it has joined
 *   list HOST PORT       names in the registry there
 *   rebind HOST PORT     binds something in the registry there
 *   exit
 * </pre>
 */
public final class ChatServer implements ChatRoom {
  private final Map<String, ChatListener> members = new ConcurrentHashMap<>();
  private final Map<String, String> addresses = new ConcurrentHashMap<>();

  private ChatServer() {}

  @Override
  public void join(String who, ChatListener listener) {
    members.put(who, listener);
    try {
      addresses.put(who, RemoteServer.getClientHost());
    } catch (ServerNotActiveException notRemote) {
      addresses.put(who, "here");
    }
  }

  @Override
  public void leave(String who) {
    members.remove(who);
  }

  @Override
  public int say(String who, String text) {
    int reached = 0;
    List<String> gone = new ArrayList<>();
    for (Map.Entry<String, ChatListener> member : members.entrySet()) {
      try {
        if (!member.getKey().equals(who)) {
          member.getValue().heard(who, text);
          reached++;
        }
      } catch (RemoteException lost) {
        gone.add(member.getKey());
      }
    }
    gone.forEach(members::remove);
    return reached;
  }

  @Override
  public void greet(String who) throws RemoteException {
    members.get(who).heard("room", "welcome");
  }

  @Override
  public ChatListener listener(String who) {
    return members.get(who);
  }

  @Override
  public int nest(ChatListener via, int depth) throws RemoteException {
    return depth == 0 ? 0 : 1 + via.nest(this, depth - 1);
  }

  private String obey(String[] words) throws Exception {
    switch (words[0]) {
      case "tell" -> {
        int times = Integer.parseInt(words[2]);
        for (int i = 0; i < times; i++) {
          members.get(words[1]).heard("room", "message " + i);
        }
        return "done " + times;
      }
      case "members" -> {
        return "done " + new TreeMap<>(members).keySet();
      }
      case "where" -> {
        return "done " + endpoint(members.get(words[1]));
      }
      case "from" -> {
        return "done " + addresses.get(words[1]);
      }
      case "list" -> {
        return "done " + String.join(",", registry(words).list());
      }
      case "rebind" -> {
        registry(words).rebind("intruder", this);
        return "done";
      }
      default -> throw new IllegalArgumentException(words[0]);
    }
  }

  /** As a reference prints it: {@code HOST:PORT}. */
  private static String endpoint(Remote reference) {
    return reference.toString().replaceAll("(?s).*endpoint:\\[([^\\]]*)\\].*", "$1");
  }

  private static Registry registry(String[] words) throws RemoteException {
    return LocateRegistry.getRegistry(words[1], Integer.parseInt(words[2]));
  }

  /** See above. */
  public static void main(String[] arguments) throws Exception {
    ChatServer room = new ChatServer();
    Registry registry = LocateRegistry.createRegistry(Integer.parseInt(arguments[0]));
    registry.bind(NAME, UnicastRemoteObject.exportObject(room, 0));
    System.out.println("room ready " + endpoint(registry).replaceAll(".*:", ""));
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine();
        line != null && !line.equals("exit");
        line = lines.readLine()) {
      try {
        System.out.println(room.obey(line.split(" ")));
      } catch (Exception e) {
        e.printStackTrace();
        System.out.println("failed " + e.toString().replace("\n", " "));
      }
    }
  }
}
