package io.rmigate.gateway.container.cuts;

import io.rmigate.gateway.testing.ExportAddress;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Eight threads that call without a pause from the first line of standard input to the second, with
 * arguments of a few bytes to some hundred kilobytes, and are called back by each second call.
 * Arguments: host and port of the registry, and, if it is not for the runtime to say, {@code
 * ADDRESS:PORT} at which it is called back.
 *
 * <pre>
 * go     prints calling
 * stop   prints done &lt;calls&gt; &lt;exceptions&gt; &lt;wrong answers&gt;
 *                    &lt;calls to call back&gt; &lt;executed here&gt; &lt;of these more than once&gt;
 * </pre>
 */
public final class TallyClient implements TallyListener {
  private static final int THREADS = 8;

  private final Executed executed = new Executed();
  private final AtomicLong calls = new AtomicLong();
  private final AtomicLong callsBack = new AtomicLong();
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
      if (args.length > 2) {
        ExportAddress.parse(args[2]).export(client);
      } else {
        UnicastRemoteObject.exportObject(client, 0);
      }
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
      System.out.printf(
          "done %s %s %s %s %s%n",
          client.calls, client.exceptions, client.wrong, client.callsBack, client.executed);
      UnicastRemoteObject.unexportObject(client, true);
    }
    System.exit(0);
  }

  @Override
  public byte[] counted(long id, byte[] payload) {
    executed.add(id);
    return payload;
  }

  private void call(Tally tally, long first, Random random) {
    for (long id = first; !stopped; id++) {
      byte[] payload = new byte[random.nextInt(50) == 0 ? 200_000 : random.nextInt(200)];
      random.nextBytes(payload);
      calls.incrementAndGet();
      try {
        byte[] answer;
        if (id % 2 == 0) {
          answer = tally.count(id, payload);
        } else {
          callsBack.incrementAndGet();
          answer = tally.countBoth(id, payload, this);
        }
        if (!Arrays.equals(answer, payload)) {
          wrong.incrementAndGet();
        }
      } catch (RemoteException failed) {
        exceptions.incrementAndGet();
        failed.printStackTrace();
      }
    }
  }
}
