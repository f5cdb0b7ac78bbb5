package io.rmigate.gateway.container.floods;

import io.rmigate.sample.Hello;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.rmi.registry.LocateRegistry;
import java.util.Arrays;

/**
 * Calls what it has looked up. Arguments: host and port of the registry. Prints {@code ready}; for
 * each line {@code call N} of its input {@code called <calls> <microseconds>}: how many calls since
 * {@code forget}, and what 99 of 100 of these stay below.
 */
public final class HonestCaller {
  private long[] nanos = new long[1 << 16];
  private int calls;

  private HonestCaller() {}

  /** Runs until its input ends. */
  public static void main(String[] arguments) throws Exception {
    Hello hello =
        (Hello)
            LocateRegistry.getRegistry(arguments[0], Integer.parseInt(arguments[1]))
                .lookup(Hello.NAME);
    HonestCaller caller = new HonestCaller();
    System.out.println("ready");
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.equals("forget")) {
        caller.calls = 0;
      } else {
        caller.call(hello, Integer.parseInt(line.substring("call ".length())));
      }
      System.out.println("called " + caller.calls + " " + caller.p99Micros());
    }
    System.exit(0);
  }

  private void call(Hello hello, int times) throws Exception {
    if (nanos.length < calls + times) {
      nanos = Arrays.copyOf(nanos, 2 * (calls + times));
    }
    for (int i = 0; i < times; i++) {
      long begun = System.nanoTime();
      if (!hello.hello("World").equals("Hello, World!")) {
        throw new IllegalStateException("another answer");
      }
      nanos[calls++] = System.nanoTime() - begun;
    }
  }

  private long p99Micros() {
    long[] sorted = Arrays.copyOf(nanos, calls);
    Arrays.sort(sorted);
    return calls == 0 ? 0 : sorted[(int) (calls * 99L / 100)] / 1000;
  }
}
