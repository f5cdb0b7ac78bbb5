package io.rmigate.gateway.scan;

import io.rmigate.protocol.jrmp.CallBytes;
import io.rmigate.protocol.jrmp.Damage;
import io.rmigate.protocol.jrmp.GraphCorpus;
import io.rmigate.testing.FuzzRun;
import java.io.Externalizable;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * {@code gateway-war/fuzz scanner}: what {@code ScannerDifferenceTest} does for seconds, for as
 * many streams as wanted. A third of them are honest Calls that were damaged; a third have honest
 * descriptors and any data; a third are of the latter kind, damaged. Now and then a long one is
 * scanned and not compared, for what it costs.
 */
final class ScannerFuzz {
  private static final int LARGEST_SEED = 3000;
  private static final int KEPT = 64;
  private static final int BATCH = 1000;

  /** One stream in this number is long. */
  private static final int LONG_EVERY = 1000;

  private static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final double MOST_MEMORY = 4;
  private static final int STUCK_SECONDS = 120;

  private final PrintStream out = System.out;

  /** Exit code 0 if nothing was missed within the bounds, 1 if not, 2 for a wrong command line. */
  public static void main(String[] arguments) throws InterruptedException {
    System.exit(new ScannerFuzz().run(FuzzRun.of(arguments)));
  }

  /** Calls that the JDK wrote, of corpora and stubs, and some that are made to cost much. */
  static List<byte[]> seeds() {
    List<byte[]> seeds = new ArrayList<>();
    GraphCorpus.graphs()
        .forEach(
            (name, graph) -> {
              byte[] call = CallBytes.callWith(graph);
              if (call.length <= LARGEST_SEED && !name.equals("lambda")) {
                seeds.add(call);
              }
            });
    Random random = new Random(1);
    for (Function<Random, Externalizable> one : Externals.DERIVED.values()) {
      Object value = one.apply(random);
      boolean alone = seeds.size() % 2 == 0;
      seeds.add(CallBytes.callWith(alone ? value : new Object[] {value, "behind", value}));
    }
    return seeds;
  }

  private int run(FuzzRun run) throws InterruptedException {
    long streams = run.count();
    Random random = new Random(run.seed());
    List<byte[]> seeds = seeds();
    seeds.add(Stubs.proxy(Stubs.reference("inside.example", 1099)).toByteArray());
    seeds.add(Stubs.proxyWithFactory(HandWritten::nothing).toByteArray());
    seeds.add(Bombs.setsOfSharedSets(20));
    RandomStreams honest = new RandomStreams(random);
    LongStreams longOnes = new LongStreams(random);
    List<byte[]> kept = new ArrayList<>(List.of(honest.next()));
    ScannerComparison comparison =
        new ScannerComparison(CorpusShapes.scanner(), CorpusShapes.sequences(), random);
    ExecutorService worker = Executors.newSingleThreadExecutor(ScannerFuzz::daemon);
    long begun = System.nanoTime();
    long shown = begun;
    while (comparison.streams() < streams) {
      long end = Math.min(streams, comparison.streams() + BATCH);
      Future<?> batch =
          worker.submit(
              () -> {
                while (comparison.streams() < end) {
                  if (random.nextInt(LONG_EVERY) == 0) {
                    comparison.measure(longOnes.next());
                  } else {
                    comparison.compare(next(seeds, honest, kept, random));
                  }
                }
              });
      try {
        batch.get(STUCK_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException difference) {
        difference.getCause().printStackTrace(out);
        return 1;
      } catch (TimeoutException stuck) {
        out.println("a stream behind number " + comparison.streams() + " never ends");
        return 1;
      }
      if (System.nanoTime() - shown > TimeUnit.SECONDS.toNanos(10)) {
        shown = System.nanoTime();
        show(comparison, begun);
      }
    }
    worker.shutdown();
    show(comparison, begun);
    boolean bounded =
        comparison.slowestNanos() <= MOST_NANOS && comparison.largestShare() <= MOST_MEMORY;
    out.println(bounded ? "no difference" : "no difference, and a bound was not kept");
    return bounded ? 0 : 1;
  }

  private static byte[] next(
      List<byte[]> seeds, RandomStreams honest, List<byte[]> kept, Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> Damage.of(seeds, random);
      case 1 -> {
        byte[] call = honest.next();
        if (kept.size() < KEPT) {
          kept.add(call);
        } else {
          kept.set(random.nextInt(KEPT), call);
        }
        yield call;
      }
      default -> Damage.of(kept, random);
    };
  }

  private void show(ScannerComparison comparison, long begun) {
    double seconds = (System.nanoTime() - begun) / 1e9;
    out.printf(
        "%,d streams (%,.0f/s), %,d clean, %,d of them read to the end;"
            + " %,d replies complete with parts forgotten;"
            + " %,d long ones scanned; slowest scan %.2f ms a MiB, memory of one %,d KiB at most,"
            + " beyond the first MiB %.2f times its stream%n",
        comparison.streams(),
        comparison.streams() / seconds,
        comparison.clean(),
        comparison.accepted(),
        comparison.completeThoughForgotten(),
        comparison.measured(),
        comparison.slowestNanos() / 1e6,
        comparison.mostBytes() >> 10,
        Math.max(0, comparison.largestShare()));
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "fuzz");
    thread.setDaemon(true);
    return thread;
  }
}
