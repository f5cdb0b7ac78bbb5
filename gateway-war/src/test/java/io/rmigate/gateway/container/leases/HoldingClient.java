package io.rmigate.gateway.container.leases;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.MarshalledObject;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A client that holds tokens. Each line of its input is a command, and answered by one line: {@code
 * done …} or {@code failed EXCEPTION}. Arguments: host and port of the first keeper's registry.
 *
 * <pre>
 *   lookup               asks the first keeper from now on, looked up anew
 *   turn PORT            asks the keeper there from now on
 *   take NAME            many PREFIX N        third PORT NAME
 *   wrap NAME            unwrap NAME          gets a MarshalledObject; takes what is in it
 *   save NAME FILE       load NAME FILE       by Java serialization, past RMI
 *   give NAME            fetch NAME           forget NAME         of the keeper, by NAME
 *   call NAME            callall              where NAME: the endpoint in its stub
 *   drop NAME            dropall              gc
 *   churn PREFIX SEED    calm                 see {@link Churn}
 *   exit
 * </pre>
 */
public final class HoldingClient {
  private static final long COLLECT_EVERY_MILLIS = 300;
  private static final Pattern ENDPOINT = Pattern.compile("endpoint:\\[([^\\]]*)\\]");

  private final String host;
  private final int port;
  private final Map<String, Token> held = new HashMap<>();
  private final Map<String, MarshalledObject<Token>> wrapped = new HashMap<>();
  private final Map<Integer, Keeper> keepers = new HashMap<>();
  private Keeper keeper;
  private Churn churn;

  private HoldingClient(String host, int port) {
    this.host = host;
    this.port = port;
  }

  private String obey(String[] words) throws Exception {
    switch (words[0]) {
      case "lookup" -> keeper = lookUp(port);
      case "turn" -> {
        int to = Integer.parseInt(words[1]);
        keeper = keepers.containsKey(to) ? keepers.get(to) : lookUp(to);
      }
      case "take" -> held.put(words[1], keeper.take(words[1]));
      case "many" -> takeMany(words[1], Integer.parseInt(words[2]));
      case "third" ->
          held.put(words[2], keeper.takeFrom(host, Integer.parseInt(words[1]), words[2]));
      case "wrap" -> wrapped.put(words[1], keeper.wrapped(words[1]));
      case "unwrap" -> held.put(words[1], wrapped.get(words[1]).get());
      case "save" -> save(words[1], Path.of(words[2]));
      case "load" -> held.put(words[1], load(Path.of(words[2])));
      case "give" -> keeper.give(words[1], held.get(words[1]));
      case "fetch" -> held.put(words[1], keeper.fetch(words[1]));
      case "forget" -> keeper.forget(words[1]);
      case "call" -> {
        return "done " + call(words[1]);
      }
      case "callall" -> {
        for (String name : held.keySet()) {
          call(name);
        }
      }
      case "where" -> {
        Matcher endpoint = ENDPOINT.matcher(held.get(words[1]).toString());
        return endpoint.find() ? "done " + endpoint.group(1) : "failed to find an endpoint";
      }
      case "drop" -> held.remove(words[1]);
      case "dropall" -> held.clear();
      case "gc" -> System.gc();
      case "churn" -> {
        churn = new Churn(keeper, words[1], Long.parseLong(words[2]));
        churn.start();
      }
      case "calm" -> {
        return churn.end();
      }
      default -> throw new IllegalArgumentException(words[0]);
    }
    return "done " + held.size();
  }

  private Keeper lookUp(int at) throws Exception {
    Keeper found = (Keeper) LocateRegistry.getRegistry(host, at).lookup("Keeper");
    keepers.put(at, found);
    return found;
  }

  private void takeMany(String prefix, int count) throws RemoteException {
    List<String> names = IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
    List<Token> tokens = keeper.takeAll(new ArrayList<>(names));
    for (int i = 0; i < count; i++) {
      held.put(names.get(i), tokens.get(i));
    }
  }

  private void save(String name, Path file) throws IOException {
    try (ObjectOutputStream out = new ObjectOutputStream(Files.newOutputStream(file))) {
      out.writeObject(held.get(name));
    }
  }

  private static Token load(Path file) throws IOException, ClassNotFoundException {
    try (ObjectInputStream in = new ObjectInputStream(Files.newInputStream(file))) {
      return (Token) in.readObject();
    }
  }

  private String call(String name) throws RemoteException {
    String answer = held.get(name).name();
    if (!answer.startsWith(name + "#")) {
      throw new IllegalStateException(answer + " answers for " + name);
    }
    return answer;
  }

  /** See above. */
  public static void main(String[] arguments) throws Exception {
    HoldingClient client = new HoldingClient(arguments[0], Integer.parseInt(arguments[1]));
    Thread collector =
        new Thread(
            () -> {
              try {
                while (true) {
                  Thread.sleep(COLLECT_EVERY_MILLIS);
                  System.gc(); // what is dropped is to be noticed soon
                }
              } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
              }
            });
    collector.setDaemon(true);
    collector.start();
    System.out.println("holding");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null && !line.equals("exit"); line = in.readLine()) {
      String answer;
      try {
        answer = client.obey(line.split(" "));
      } catch (Exception failure) {
        answer = "failed " + failure;
      }
      System.out.println(answer.replace('\n', ' ').replace('\r', ' '));
    }
    System.out.println("bye");
  }
}
