package io.rmigate.gateway.container.deadlines;

import io.rmigate.client.deadline.CallTimeout;
import io.rmigate.client.deadline.CallTimeoutException;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.time.Duration;

/**
 * Calls with a bound. Arguments: host and port of the registry. For each line of standard input it
 * prints {@code calling}, and then {@code did <n> <word> <result>} for the n-th of them: a number,
 * or an exception's class, its cause's class, and its words.
 *
 * <pre>
 * hang [&lt;ms&gt;]         calls what does not return; without a number it bounds nothing itself
 * list &lt;ms&gt; &lt;port&gt;    lists a registry there
 * hung &lt;ms&gt;           asks how often it was called
 * </pre>
 */
public final class BoundedClient {
  private BoundedClient() {}

  /** Runs until its input ends. */
  public static void main(String[] args) throws Exception {
    String host = args[0];
    Hanging hanging =
        (Hanging) LocateRegistry.getRegistry(host, Integer.parseInt(args[1])).lookup(Hanging.NAME);
    System.out.println("ready");
    int calls = 0;
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ");
      System.out.println("calling");
      System.out.println("did " + ++calls + " " + words[0] + " " + call(hanging, host, words));
    }
    System.exit(0);
  }

  private static String call(Hanging hanging, String host, String[] words) {
    try {
      return words.length == 1 ? answer(hanging, host, words) : bounded(hanging, host, words);
    } catch (RemoteException failed) {
      Throwable cause = failed.getCause();
      String phase = cause instanceof CallTimeoutException late ? late.phase() + " " : "";
      return failed.getClass().getName()
          + " "
          + cause.getClass().getSimpleName()
          + " "
          + phase
          + cause.getMessage();
    }
  }

  private static String bounded(Hanging hanging, String host, String[] words)
      throws RemoteException {
    CallTimeout timeout = CallTimeout.of(Duration.ofMillis(Long.parseLong(words[1])));
    try (timeout) {
      return answer(hanging, host, words);
    }
  }

  private static String answer(Hanging hanging, String host, String[] words)
      throws RemoteException {
    return switch (words[0]) {
      case "hang" -> {
        hanging.hang();
        yield "returned";
      }
      case "list" ->
          LocateRegistry.getRegistry(host, Integer.parseInt(words[2])).list().length + " names";
      case "hung" -> hanging.hung() + " executed";
      default -> throw new IllegalArgumentException(words[0]);
    };
  }
}
