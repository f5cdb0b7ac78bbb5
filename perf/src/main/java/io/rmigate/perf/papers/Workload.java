package io.rmigate.perf.papers;

import io.rmigate.sample.Person;
import java.rmi.registry.Registry;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/** A workload: the calls of a client that has never spoken to the server before. */
enum Workload {
  /** A lookup and a call: the paper's first example, and the lookup of its field trial. */
  HELLO {
    @Override
    void run(Registry registry, long seed, boolean brief, Stopwatch watch) throws Exception {
      HelloWorld hello =
          watch.measure("lookup", () -> (HelloWorld) registry.lookup(HelloWorld.NAME));
      expect("Hello World!".equals(watch.measure("call", hello::sayHello)));
    }
  },

  /** The Monads prototype: three lookups, a call to each of the three servers, lookups again. */
  MONADS {
    @Override
    void run(Registry registry, long seed, boolean brief, Stopwatch watch) throws Exception {
      Map<Integer, TextSource> sources = watch.measure("lookups", () -> lookUp(registry));
      for (Map.Entry<Integer, TextSource> source : sources.entrySet()) {
        int length = source.getKey();
        String text = watch.measure("text" + length, () -> source.getValue().text(seed + length));
        expect(text.equals(FreshText.plain(length, seed + length)));
      }
      watch.measure("again", () -> lookUp(registry));
    }

    private Map<Integer, TextSource> lookUp(Registry registry) throws Exception {
      Map<Integer, TextSource> sources = new LinkedHashMap<>();
      for (int length : TextSource.LENGTHS) {
        sources.put(length, (TextSource) registry.lookup(TextSource.NAME + length));
      }
      return sources;
    }
  },

  /** The five test cases, each once, on a stub that has been called before. */
  TESTS {
    @Override
    void run(Registry registry, long seed, boolean brief, Stopwatch watch) throws Exception {
      TestCases cases = (TestCases) registry.lookup(TestCases.NAME);
      cases.nothing();
      byte[] image = new byte[TestCases.IMAGE_BYTES];
      new Random(seed).nextBytes(image);
      String html = FreshText.html(TestCases.TEXT_BYTES, seed);
      String other = FreshText.html(TestCases.TEXT_BYTES, seed + 1);
      watch.measure("void", () -> call(cases::nothing));
      byte[] zeros = new byte[TestCases.PING_BYTES];
      expect(Arrays.equals(zeros, watch.measure("ping", () -> cases.returnPing(zeros))));
      watch.measure("image", () -> call(() -> cases.pingImage(image)));
      watch.measure("page", () -> call(() -> cases.pingText(html)));
      expect(other.equals(watch.measure("pages", () -> cases.returnText(other))));
      watch.pause("idle", brief ? 0 : IDLE_MILLIS);
      watch.measure("void-after-idle", () -> call(cases::nothing));
    }
  },

  /** The workload of the byte aims. */
  BYTES {
    @Override
    void run(Registry registry, long seed, boolean brief, Stopwatch watch) throws Exception {
      int calls = brief ? 1 : STEADY_CALLS;
      sayHello(registry, brief, calls, watch);
      process(registry, brief ? 1 : GROUPS, watch);
      watch.measure(
          "release",
          () -> {
            System.gc(); // the stubs are garbage now, of which RMI tells the server
            Thread.sleep(brief ? 0 : PAUSE_MILLIS);
            return null;
          });
    }

    private void sayHello(Registry registry, boolean brief, int calls, Stopwatch watch)
        throws Exception {
      HelloWorld hello =
          watch.measure("lookup", () -> (HelloWorld) registry.lookup(HelloWorld.NAME));
      watch.measure("call", hello::sayHello);
      watch.pause("after", brief ? 0 : PAUSE_MILLIS);
      repeat("warm-up", WARM_UP_CALLS, watch, unused -> hello.sayHello());
      repeat("steady", calls, watch, unused -> hello.sayHello());
    }

    private void process(Registry registry, int calls, Stopwatch watch) throws Exception {
      ListProcessor processor =
          watch.measure("people-lookup", () -> (ListProcessor) registry.lookup(ListProcessor.NAME));
      List<Person> people = people(0);
      repeat("people-first", 1, watch, unused -> processor.processRequest(people));
      repeat("people-repeated", calls, watch, unused -> processor.processRequest(people));
      repeat("people-fresh", calls, watch, i -> processor.processRequest(people(i + 1)));
    }

    private List<Person> people(int group) {
      return IntStream.range(0, PEOPLE).mapToObj(i -> Person.numbered(group * PEOPLE + i)).toList();
    }
  };

  /** Calls of the steady phase. */
  static final int STEADY_CALLS = 100;

  /** Calls with a collection, of the same elements and of others each time. */
  static final int GROUPS = 10;

  /** Elements of the collection. */
  static final int PEOPLE = 100;

  private static final int WARM_UP_CALLS = 10;
  private static final long PAUSE_MILLIS = 1_500;

  /** Pause longer than the time for which RMI reuses a connection without a ping. */
  private static final long IDLE_MILLIS = 3_000;

  /**
   * Does it.
   *
   * @param seed of what must be fresh
   * @param brief only to load classes: no pauses, few calls
   */
  abstract void run(Registry registry, long seed, boolean brief, Stopwatch watch) throws Exception;

  /** The label for options and file names. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** A remote call. */
  private interface Call {
    void run() throws Exception;
  }

  /** A remote call for the how-manieth time, from 0. */
  private interface Repeated {
    Object run(int time) throws Exception;
  }

  private static Object call(Call call) throws Exception {
    call.run();
    return null;
  }

  private static void repeat(String name, int times, Stopwatch watch, Repeated call)
      throws Exception {
    watch.measure(
        name,
        () -> {
          for (int i = 0; i < times; i++) {
            call.run(i);
          }
          return null;
        });
  }

  private static void expect(boolean right) {
    if (!right) {
      throw new IllegalStateException("a wrong answer");
    }
  }
}
