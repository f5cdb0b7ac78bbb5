package io.rmigate.sample;

import java.math.BigDecimal;
import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32;

/**
 * Calls what {@link SampleServer} offers and says what came of it, a line per call; ends with 0 if
 * everything was as it should be, else with 1.
 *
 * <pre>
 * SampleClient --host HOST --port REGISTRY-PORT [--threads N] [--payload-mb N]
 * </pre>
 */
public final class SampleClient {
  private static final int MEGABYTE = 1 << 20;

  private final Registry registry;
  private final int threads;
  private final int payloadBytes;
  private int failed;

  private SampleClient(Options options) throws RemoteException {
    registry =
        LocateRegistry.getRegistry(
            options.text("--host", "localhost"), options.number("--port", Registry.REGISTRY_PORT));
    threads = options.number("--threads", 16);
    payloadBytes = options.number("--payload-mb", 16) * MEGABYTE;
  }

  /** Runs all calls; see the class comment for the options. */
  public static void main(String[] args) throws Exception {
    Options options;
    try {
      options = Options.parse(args, "--host", "--port", "--threads", "--payload-mb");
    } catch (IllegalArgumentException e) {
      System.err.println("SampleClient: " + e.getMessage());
      System.exit(2);
      return;
    }
    SampleClient client = new SampleClient(options);
    client.callEverything();
    if (client.failed > 0) {
      System.out.println("sample client: " + client.failed + " calls went wrong");
      System.exit(1);
    }
    System.out.println("sample client: everything as it should be");
  }

  private void callEverything() throws Exception {
    report("list the registry", () -> String.join(", ", sorted(registry.list())));
    report("look up a name that is not bound", this::unknownName);
    Hello hello = (Hello) registry.lookup(Hello.NAME);
    report("Hello.hello", () -> hello.hello("from the far side"));
    Catalogue catalogue = (Catalogue) registry.lookup(Catalogue.NAME);
    report("Catalogue.products", () -> catalogue.products().size() + " products");
    report("Catalogue.byDepartment", () -> catalogue.byDepartment().keySet().toString());
    Basket basket = catalogue.newBasket();
    report("Catalogue.newBasket, a new remote object, and add", () -> filled(basket));
    report("Basket.add of more than there are", () -> outOfStock(basket));
    report("an unchecked exception", () -> noSuchProduct(basket));
    Everything everything = (Everything) registry.lookup(Everything.NAME);
    report("a graph with a cycle there and back", () -> cycle(everything));
    report("a null there and back", () -> String.valueOf(everything.echo(null)));
    report("a large result", () -> largeResult(everything));
    report("a large argument", () -> largeArgument(everything));
    PerformanceTester tester = (PerformanceTester) registry.lookup(PerformanceTester.NAME);
    report(threads + " threads at once", () -> manyThreads(tester));
    report("1000 small calls by one thread", () -> smallCalls(tester));
  }

  private void report(String what, Callable<String> call) {
    long start = System.nanoTime();
    try {
      String outcome = call.call();
      System.out.printf("  ok    %-50s %s (%s)%n", what, outcome, since(start));
    } catch (Exception e) {
      failed++;
      System.out.printf("  WRONG %-50s %s (%s)%n", what, e, since(start));
    }
  }

  private static String since(long startNanos) {
    return String.format("%.1f ms", (System.nanoTime() - startNanos) / 1e6);
  }

  private static String[] sorted(String[] names) {
    Arrays.sort(names);
    return names;
  }

  private String unknownName() throws Exception {
    try {
      registry.lookup("unbound");
    } catch (NotBoundException expected) {
      return "NotBoundException, as it should be";
    }
    throw new IllegalStateException("a name that is not bound was found");
  }

  private static String filled(Basket basket) throws Exception {
    basket.add("G-01", 2);
    BigDecimal total = basket.add("B-01", 1);
    return "total " + total;
  }

  private static String outOfStock(Basket basket) throws Exception {
    try {
      basket.add("T-01", 11);
    } catch (OutOfStockException expected) {
      return "OutOfStockException: " + expected.getMessage() + ", as it should be";
    }
    throw new IllegalStateException("more was sold than there is");
  }

  private static String noSuchProduct(Basket basket) throws Exception {
    try {
      basket.add("X-99", 1);
    } catch (java.util.NoSuchElementException expected) {
      return "NoSuchElementException: " + expected.getMessage() + ", as it should be";
    }
    throw new IllegalStateException("a product that does not exist was sold");
  }

  private static String cycle(Everything everything) throws Exception {
    Node first = new Node(1);
    first.join(new Node(2).join(first, null), null);
    Node copy = (Node) everything.echo(first);
    if (copy == first || copy.left().left() != copy) {
      throw new IllegalStateException("the cycle did not survive");
    }
    return "a copy with the same shape";
  }

  private String largeResult(Everything everything) throws Exception {
    byte[] bytes = everything.produce(payloadBytes, 7);
    if (!Arrays.equals(bytes, payload())) {
      throw new IllegalStateException("the bytes are not the server's");
    }
    return payloadBytes / MEGABYTE + " MB, bit for bit";
  }

  private String largeArgument(Everything everything) throws Exception {
    byte[] bytes = payload();
    CRC32 crc = new CRC32();
    crc.update(bytes);
    if (everything.checksum(bytes) != crc.getValue()) {
      throw new IllegalStateException("the server saw other bytes");
    }
    return payloadBytes / MEGABYTE + " MB, bit for bit";
  }

  private byte[] payload() {
    byte[] bytes = new byte[payloadBytes];
    new Random(7).nextBytes(bytes);
    return bytes;
  }

  private String manyThreads(PerformanceTester tester) throws Exception {
    int callsEach = 200;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Integer>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        running.add(pool.submit(() -> call(tester, callsEach)));
      }
      int calls = 0;
      for (Future<Integer> each : running) {
        calls += each.get();
      }
      return calls + " calls";
    } finally {
      pool.shutdownNow();
    }
  }

  private static String smallCalls(PerformanceTester tester) throws Exception {
    long start = System.nanoTime();
    int calls = call(tester, 1000);
    return String.format("mean %.3f ms", (System.nanoTime() - start) / 1e6 / calls);
  }

  private static int call(PerformanceTester tester, int calls) throws RemoteException {
    for (int i = 0; i < calls; i++) {
      if (tester.getInt() != 1_234_567) {
        throw new IllegalStateException("a wrong answer");
      }
    }
    return calls;
  }
}
