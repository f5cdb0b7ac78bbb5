package io.rmigate.gateway.container.failover;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.rmi.RemoteException;
import java.rmi.UnmarshalException;
import java.rmi.registry.LocateRegistry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Calls a ledger, each call with a number of its own, which begins with the argument after host and
 * port of the registry. Prints {@code ready}; then, for each line of standard input:
 *
 * <pre>
 * take N   taken: holds N stubs more
 * use      used &lt;stubs&gt; &lt;exceptions&gt;: calls what it holds
 * hold N   begun: N threads make a call that the server holds
 * call N   begun: N threads make a call
 * heard    heard &lt;returned&gt; &lt;possibly executed&gt; &lt;other exceptions&gt;: what became of those, once it is known
 * go       begun: eight threads call without a pause
 * stop     done &lt;calls&gt; &lt;exceptions&gt; &lt;wrong answers&gt;
 * </pre>
 */
public final class LedgerClient {
  private static final int LOAD_THREADS = 8;
  private static final int LARGE = 100_000;

  private final Ledger ledger;
  private final AtomicLong ids;
  private final List<Ledger> held = new ArrayList<>();
  private final List<Thread> callers = new ArrayList<>();
  private final AtomicInteger returned = new AtomicInteger();
  private final AtomicInteger possibly = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private final List<Thread> load = new ArrayList<>();
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger exceptions = new AtomicInteger();
  private final AtomicInteger wrong = new AtomicInteger();
  private volatile boolean stopped;

  private LedgerClient(Ledger ledger, long firstId) {
    this.ledger = ledger;
    this.ids = new AtomicLong(firstId);
  }

  /** Runs until its input ends. */
  public static void main(String[] args) throws Exception {
    Ledger ledger =
        (Ledger) LocateRegistry.getRegistry(args[0], Integer.parseInt(args[1])).lookup(Ledger.NAME);
    LedgerClient client = new LedgerClient(ledger, Long.parseLong(args[2]));
    System.out.println("ready");
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      System.out.println(client.obey(line.split(" ")));
    }
    System.exit(0);
  }

  private String obey(String[] words) throws Exception {
    return switch (words[0]) {
      case "take" -> take(Integer.parseInt(words[1]));
      case "use" -> use();
      case "hold" -> begin(Integer.parseInt(words[1]), () -> ledger.hold(ids.getAndIncrement()));
      case "call" ->
          begin(
              Integer.parseInt(words[1]), () -> ledger.count(ids.getAndIncrement(), new byte[100]));
      case "heard" -> {
        join(callers);
        yield "heard " + returned + " " + possibly + " " + failed;
      }
      case "go" -> go();
      case "stop" -> {
        stopped = true;
        join(load);
        yield "done " + calls + " " + exceptions + " " + wrong;
      }
      default -> throw new IllegalArgumentException(words[0]);
    };
  }

  private String take(int count) throws RemoteException {
    for (int i = 0; i < count; i++) {
      held.add(ledger.another());
    }
    return "taken";
  }

  private String go() {
    for (int i = 0; i < LOAD_THREADS; i++) {
      Random random = new Random(i);
      load.add(new Thread(() -> callAgainAndAgain(random)));
    }
    load.forEach(Thread::start);
    return "begun";
  }

  private static void join(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
    threads.clear();
  }

  private String use() {
    int failures = 0;
    for (Ledger each : held) {
      try {
        each.count(ids.getAndIncrement(), new byte[10]);
      } catch (RemoteException e) {
        failures++;
        e.printStackTrace();
      }
    }
    return "used " + held.size() + " " + failures;
  }

  /** A remote call. */
  private interface Call {
    void make() throws RemoteException;
  }

  private String begin(int count, Call call) {
    for (int i = 0; i < count; i++) {
      Thread thread = new Thread(() -> hear(call));
      callers.add(thread);
      thread.start();
    }
    return "begun";
  }

  private void hear(Call call) {
    try {
      call.make();
      returned.incrementAndGet();
    } catch (UnmarshalException e) {
      boolean says = e.getCause().getMessage().contains("may have been executed");
      (says ? possibly : failed).incrementAndGet();
      if (!says) {
        e.printStackTrace();
      }
    } catch (RemoteException e) {
      failed.incrementAndGet();
      e.printStackTrace();
    }
  }

  private void callAgainAndAgain(Random random) {
    while (!stopped) {
      byte[] payload = new byte[random.nextInt(50) == 0 ? LARGE : random.nextInt(200)];
      random.nextBytes(payload);
      calls.incrementAndGet();
      try {
        if (!Arrays.equals(ledger.count(ids.getAndIncrement(), payload), payload)) {
          wrong.incrementAndGet();
        }
      } catch (RemoteException e) {
        exceptions.incrementAndGet();
        e.printStackTrace();
      }
    }
  }
}
