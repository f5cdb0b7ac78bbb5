package io.rmigate.gateway.container.leases;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.rmi.MarshalledObject;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A client that holds tokens. Each line of its input is a command, and answered by one line: {@code
 * done …} or {@code failed CLASS}. Arguments: host and port of the keeper's registry.
 *
 * <pre>
 *   take NAME            many PREFIX N        wrap NAME          unwrap NAME
 *   third PORT NAME      call NAME            callall            drop NAME
 *   dropall              lookup               exit
 * </pre>
 */
public final class HoldingClient {
  private static final long COLLECT_EVERY_MILLIS = 300;

  private final String host;
  private final int port;
  private final Map<String, Token> held = new HashMap<>();
  private final Map<String, MarshalledObject<Token>> wrapped = new HashMap<>();
  private Keeper keeper;

  private HoldingClient(String host, int port) {
    this.host = host;
    this.port = port;
  }

  private String obey(String[] words) throws Exception {
    switch (words[0]) {
      case "lookup" -> keeper = (Keeper) LocateRegistry.getRegistry(host, port).lookup("Keeper");
      case "take" -> held.put(words[1], keeper.take(words[1]));
      case "many" -> {
        List<String> names =
            IntStream.range(0, Integer.parseInt(words[2])).mapToObj(i -> words[1] + i).toList();
        List<Token> tokens = keeper.takeAll(new ArrayList<>(names));
        for (int i = 0; i < names.size(); i++) {
          held.put(names.get(i), tokens.get(i));
        }
      }
      case "wrap" -> wrapped.put(words[1], keeper.wrapped(words[1]));
      case "unwrap" -> held.put(words[1], wrapped.get(words[1]).get());
      case "third" ->
          held.put(words[2], keeper.takeFrom(host, Integer.parseInt(words[1]), words[2]));
      case "call" -> call(words[1]);
      case "callall" -> {
        for (String name : held.keySet()) {
          call(name);
        }
      }
      case "drop" -> held.remove(words[1]);
      case "dropall" -> held.clear();
      case "gc" -> {}
      default -> throw new IllegalArgumentException(words[0]);
    }
    return "done " + held.size();
  }

  private void call(String name) throws RemoteException {
    if (!held.get(name).name().equals(name)) {
      throw new IllegalStateException("another token answers for " + name);
    }
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
      System.out.println(answer.lines().findFirst().orElse("failed"));
    }
    System.out.println("bye");
  }
}
