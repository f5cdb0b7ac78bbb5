package io.rmigate.perf.juric;

import io.rmigate.perf.ways.Access;
import io.rmigate.perf.ways.Approach;
import io.rmigate.sample.PerformanceTester;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * A client with the arguments of an {@link Approach}. Prints {@code client ready}, then for each
 * line {@code OPERATION TIMES} on standard input the mean of that number of calls in microseconds,
 * {@code micros N}.
 */
public final class JuricClient {
  private final Access access;
  private final PerformanceTester tester;

  private JuricClient(Access access) throws Exception {
    this.access = access;
    tester = access.open();
  }

  /** See the class comment. */
  public static void main(String[] args) throws Exception {
    JuricClient client = new JuricClient(Access.by(Approach.parse(List.of(args))));
    System.out.println("client ready");
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      String[] words = line.split(" ", -1);
      try {
        double micros = client.mean(Operation.parse(words[0]), Integer.parseInt(words[1]));
        System.out.printf(Locale.ROOT, "micros %.3f%n", micros);
      } catch (Exception e) {
        System.out.println("error " + e);
        e.printStackTrace();
      }
    }
    System.exit(0);
  }

  private double mean(Operation operation, int times) throws Exception {
    Object expected = operation == Operation.LOOKUP ? null : operation.run(access, tester);
    Object last = null;
    long start = System.nanoTime();
    for (int i = 0; i < times; i++) {
      last = operation.run(access, tester);
    }
    long nanos = System.nanoTime() - start;
    if (last == null || (expected != null && !expected.equals(last))) {
      throw new IllegalStateException(operation.label() + " has returned " + last);
    }
    return nanos / 1e3 / times;
  }
}
