package io.rmigate.gateway.container.cuts;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Eight threads that call without a pause from the first line of standard input to the second, with
 * arguments of a few bytes to some hundred kilobytes. Arguments: host and port of the registry.
 *
 * <pre>
 * go     prints calling
 * stop   prints done &lt;calls&gt; &lt;exceptions&gt; &lt;wrong answers&gt;
 * </pre>
 */
public final class TallyClient {
  private static final int THREADS = 8;

  private final AtomicLong calls = new AtomicLong();
  private final AtomicLong exceptions = new AtomicLong();
  private final AtomicLong wrong = new AtomicLong();
  private volatile boolean stopped;

  private TallyClient() {}

  /** Runs until its input ends. */
  public static void main(String[] args) throws Exception {
    Tally tally =
        (Tally) LocateRegistry.getRegistry(args[0], Integer.parseInt(args[1])).lookup(Tally.NAME);
    System.out.println("ready");
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (lines.readLine() != null) {
      TallyClient client = new TallyClient();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        long first = System.nanoTime() + ((long) i << 56);
        Random random = new Random(i);
        threads.add(new Thread(() -> client.call(tally, first, random)));
      }
      threads.forEach(Thread::start);
      System.out.println("calling");
      lines.readLine();
      client.stopped = true;
      for (Thread thread : threads) {
        thread.join();
      }
      System.out.println("done " + client.calls + " " + client.exceptions + " " + client.wrong);
    }
    System.exit(0);
  }

  private void call(Tally tally, long first, Random random) {
    for (long id = first; !stopped; id++) {
      byte[] payload = new byte[random.nextInt(50) == 0 ? 200_000 : random.nextInt(200)];
      random.nextBytes(payload);
      calls.incrementAndGet();
      try {
        if (!Arrays.equals(tally.count(id, payload), payload)) {
          wrong.incrementAndGet();
        }
      } catch (RemoteException failed) {
        exceptions.incrementAndGet();
        failed.printStackTrace();
      }
    }
  }
}
