package io.rmigate.perf.papers;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMISocketFactory;
import java.util.Arrays;
import java.util.List;

/**
 * A client that is new to the server. It is not new to RMI: so that class loading is not measured,
 * it first does the same with another server, in a JVM of its own, which is not behind the link.
 * One line in, one line out, which is {@link Phase#line} or begins with {@code error}:
 *
 * <pre>
 * link     opens the mediator's link, without a byte of RMI
 * run      does the workloads, one after another
 * quit
 * </pre>
 *
 * <pre>
 * PapersClient WORKLOAD[,WORKLOAD]... SEED HOST REGISTRY-PORT HOST-TO-PRACTISE REGISTRY-PORT-THERE
 * </pre>
 */
public final class PapersClient {
  private final List<Workload> workloads;
  private final long seed;
  private final String host;
  private final int port;

  private PapersClient(List<Workload> workloads, long seed, String host, int port) {
    this.workloads = workloads;
    this.seed = seed;
    this.host = host;
    this.port = port;
  }

  /** See the class comment. */
  public static void main(String[] args) throws Exception {
    PapersClient client =
        new PapersClient(
            Arrays.stream(args[0].split(",", -1)).map(Workload::valueOf).toList(),
            Long.parseLong(args[1]),
            args[2],
            Integer.parseInt(args[3]));
    Registry practice = LocateRegistry.getRegistry(args[4], Integer.parseInt(args[5]));
    for (int i = 0; i < 3; i++) {
      for (Workload workload : client.workloads) {
        workload.run(practice, -i, true, new Stopwatch());
      }
    }
    System.out.println("client ready");
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      if (line.equals("quit")) {
        break;
      }
      try {
        System.out.println(Phase.line(client.obey(line).phases()));
      } catch (Exception e) {
        System.out.println("error " + e);
        e.printStackTrace();
      }
    }
    System.exit(0);
  }

  private Stopwatch obey(String command) throws Exception {
    Stopwatch watch = new Stopwatch();
    switch (command) {
      case "link" ->
          watch.measure(
              "link",
              () -> {
                // Through the mediator agent this is a socket without a connection behind it.
                RMISocketFactory.getDefaultSocketFactory().createSocket(host, port).close();
                return null;
              });
      case "run" -> {
        Registry registry = LocateRegistry.getRegistry(host, port);
        for (Workload workload : workloads) {
          workload.run(registry, seed, false, watch);
        }
      }
      default -> throw new IllegalArgumentException("unknown command " + command);
    }
    return watch;
  }
}
