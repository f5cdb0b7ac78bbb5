package io.rmigate.gateway.container.chat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.RemoteServer;
import java.rmi.server.ServerNotActiveException;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * A member of a room. Arguments: host and port of the room's registry, its own name, and the port
 * to export its listener on (0: any). Prints {@code chatting STUB}, or {@code failed EXCEPTION}.
 * Each line of its input is a command, and answered by one line: {@code done …} or {@code failed
 * EXCEPTION}.
 *
 * <pre>
 *   join                 leave                 with its listener
 *   say TEXT             how many have heard it
 *   heard                how much it has heard, the last of it, and who called
 *   greet TIMES          has itself called before it is answered
 *   calls TIMES          calls without being called
 *   nest DEPTH THREADS   calls and is called, nested DEPTH times, from THREADS threads
 *   self                 calls its own listener by the stub that the room gives it
 *   unexport             takes its listener away, but does not leave
 *   registry PORT        makes a registry of its own, with its listener in it
 *   manage HOST PORT     what the management agent there calls the connection to it
 *   exit
 * </pre>
 */
public final class ChatClient implements ChatListener {
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private final String name;
  private final ChatRoom room;
  private volatile String caller = "none";

  private ChatClient(String name, ChatRoom room) {
    this.name = name;
    this.room = room;
  }

  @Override
  public void heard(String from, String text) {
    heard.add(from + ": " + text);
    try {
      caller = RemoteServer.getClientHost();
    } catch (ServerNotActiveException notRemote) {
      caller = "itself";
    }
  }

  @Override
  public int nest(ChatRoom of, int depth) throws RemoteException {
    return depth == 0 ? 0 : 1 + of.nest(this, depth - 1);
  }

  @SuppressWarnings("BanJNDI") // what is managed is the test's own server
  private String obey(String[] words) throws Exception {
    switch (words[0]) {
      case "join" -> room.join(name, this);
      case "leave" -> room.leave(name);
      case "say" -> {
        return "done " + room.say(name, words[1]);
      }
      case "heard" -> {
        String last = heard.isEmpty() ? "" : heard.get(heard.size() - 1);
        return "done " + heard.size() + " [" + last + "] from " + caller;
      }
      case "greet" -> {
        for (int i = Integer.parseInt(words[1]); i > 0; i--) {
          room.greet(name);
        }
      }
      case "calls" -> {
        for (int i = Integer.parseInt(words[1]); i > 0; i--) {
          room.leave("no member");
        }
      }
      case "nest" -> {
        return "done " + nest(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
      }
      case "self" -> room.listener(name).heard(name, "myself");
      case "unexport" -> UnicastRemoteObject.unexportObject(this, true);
      case "registry" ->
          LocateRegistry.createRegistry(Integer.parseInt(words[1])).bind("listener", this);
      case "manage" -> {
        String url = "service:jmx:rmi:///jndi/rmi://" + words[1] + ":" + words[2] + "/jmxrmi";
        try (JMXConnector console = JMXConnectorFactory.connect(new JMXServiceURL(url))) {
          return "done " + console.getConnectionId();
        }
      }
      default -> throw new IllegalArgumentException(words[0]);
    }
    return "done";
  }

  /** The calls made by all threads together. */
  private int nest(int depth, int count) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(count);
    try {
      List<Callable<Integer>> nests = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        nests.add(() -> room.nest(this, depth));
      }
      int calls = 0;
      for (Future<Integer> nested : threads.invokeAll(nests)) {
        calls += nested.get();
      }
      return calls;
    } finally {
      threads.shutdown();
    }
  }

  /** See above. */
  public static void main(String[] arguments) throws Exception {
    ChatRoom room =
        (ChatRoom)
            LocateRegistry.getRegistry(arguments[0], Integer.parseInt(arguments[1]))
                .lookup(ChatRoom.NAME);
    ChatClient client = new ChatClient(arguments[2], room);
    try {
      System.out.println(
          "chatting " + UnicastRemoteObject.exportObject(client, Integer.parseInt(arguments[3])));
    } catch (RemoteException refused) {
      System.out.println("failed " + refused.toString().replace("\n", " "));
    }
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine();
        line != null && !line.equals("exit");
        line = lines.readLine()) {
      try {
        System.out.println(client.obey(line.split(" ")));
      } catch (Exception e) {
        e.printStackTrace();
        System.out.println("failed " + e.toString().replace("\n", " "));
      }
    }
    System.exit(0);
  }
}
