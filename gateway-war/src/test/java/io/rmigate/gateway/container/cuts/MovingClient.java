package io.rmigate.gateway.container.cuts;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Threads that call with a pause between two calls, and are called back by each second call.
 * Arguments: host and port of the registry, threads, calls of each thread (0 for no end), and
 * milliseconds of the pause. Prints {@code slow <beginning, ms since 1970> <ms>} for each call that
 * took 200 ms and more.
 *
 * <pre>
 * calls  prints calls &lt;answered so far&gt;
 * go     prints calling, and finished when all calls are made
 * stop   prints done &lt;calls&gt; &lt;exceptions&gt; &lt;wrong answers&gt;
 *                    &lt;calls to call back&gt; &lt;executed here&gt; &lt;of these more than once&gt;
 * </pre>
 */
public final class MovingClient implements TallyListener {
  private static final long SLOW_MILLIS = 200;
  private static final int LARGE_BYTES = 20_000;

  private final Tally tally;
  private final int most;
  private final long pauseMillis;
  private final Executed executed = new Executed();
  private final AtomicLong calls = new AtomicLong();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong callsBack = new AtomicLong();
  private final AtomicLong exceptions = new AtomicLong();
  private final AtomicLong wrong = new AtomicLong();
  private volatile boolean stopped;

  private MovingClient(Tally tally, int most, long pauseMillis) {
    this.tally = tally;
    this.most = most == 0 ? Integer.MAX_VALUE : most;
    this.pauseMillis = pauseMillis;
  }

  /** Runs until its input ends. */
  public static void main(String[] args) throws Exception {
    Tally tally =
        (Tally) LocateRegistry.getRegistry(args[0], Integer.parseInt(args[1])).lookup(Tally.NAME);
    MovingClient client =
        new MovingClient(tally, Integer.parseInt(args[3]), Long.parseLong(args[4]));
    UnicastRemoteObject.exportObject(client, 0);
    System.out.println("ready");
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    lines.readLine();
    Thread[] threads = new Thread[Integer.parseInt(args[2])];
    for (int i = 0; i < threads.length; i++) {
      long first = new Random().nextLong() & ~0xffffffL;
      threads[i] = new Thread(() -> client.callAll(first));
      threads[i].start();
    }
    System.out.println("calling");
    Thread end =
        new Thread(
            () -> {
              join(threads);
              System.out.println("finished");
            });
    end.start();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.equals("calls")) {
        System.out.println("calls " + client.answered);
        continue;
      }
      client.stopped = true;
      end.join();
      System.out.printf(
          "done %s %s %s %s %s%n",
          client.calls, client.exceptions, client.wrong, client.callsBack, client.executed);
    }
    System.exit(0);
  }

  private static void join(Thread[] threads) {
    try {
      for (Thread each : threads) {
        each.join();
      }
    } catch (InterruptedException never) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public byte[] counted(long id, byte[] payload) {
    executed.add(id);
    return payload;
  }

  private void callAll(long first) {
    Random random = new Random(first);
    for (int i = 0; i < most && !stopped; i++) {
      byte[] payload = new byte[random.nextInt(50) == 0 ? LARGE_BYTES : random.nextInt(200)];
      random.nextBytes(payload);
      long millis = System.currentTimeMillis();
      long nanos = System.nanoTime();
      call(first + i, payload);
      long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
      if (took >= SLOW_MILLIS) {
        System.out.println("slow " + millis + " " + took);
      }
      try {
        Thread.sleep(pauseMillis / 2 + random.nextLong(pauseMillis + 1)); // the load
      } catch (InterruptedException never) {
        return;
      }
    }
  }

  private void call(long id, byte[] payload) {
    calls.incrementAndGet();
    try {
      byte[] answer;
      if (id % 2 == 0) {
        answer = tally.count(id, payload);
      } else {
        callsBack.incrementAndGet();
        answer = tally.countBoth(id, payload, this);
      }
      answered.incrementAndGet();
      if (!Arrays.equals(answer, payload)) {
        wrong.incrementAndGet();
      }
    } catch (RemoteException failed) {
      exceptions.incrementAndGet();
      failed.printStackTrace();
    }
  }
}
