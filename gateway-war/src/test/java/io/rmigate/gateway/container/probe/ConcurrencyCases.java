package io.rmigate.gateway.container.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.sample.Everything;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** Many calls at a time: each is executed once, gets its own answer, and waits for no other. */
final class ConcurrencyCases {
  private static final int THREADS = 64;

  private final Everything everything;

  ConcurrencyCases(Inside inside) throws Exception {
    everything = inside.everything();
  }

  @Case
  void callsOf64ThreadsAreExecutedExactlyOnce() throws Exception {
    String prefix = UUID.randomUUID().toString();
    int callsEach = 50;
    all(
        thread ->
            () -> {
              for (int i = 0; i < callsEach; i++) {
                assertThat(everything.execute(prefix + thread + "/" + i)).isEqualTo(1);
              }
              return null;
            });
    for (int thread = 0; thread < THREADS; thread++) {
      assertThat(everything.executions(prefix + thread + "/" + (callsEach - 1))).isEqualTo(1);
    }
  }

  @Case
  void answersOf64ThreadsAreNotMixedUp() throws Exception {
    all(
        thread ->
            () -> {
              Random random = new Random(thread);
              for (int i = 0; i < 20; i++) {
                byte[] bytes = new byte[random.nextInt(40_000)];
                random.nextBytes(bytes);
                assertThat(Arrays.equals((byte[]) everything.echo(bytes), bytes)).isTrue();
              }
              return null;
            });
  }

  @Case
  void slowCallsHoldNobodyUp() throws Exception {
    String id = UUID.randomUUID().toString();
    ExecutorService pool = Executors.newFixedThreadPool(4);
    try {
      List<Future<Integer>> slow = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        slow.add(pool.submit(() -> everything.executeSlowly(id, 3_000)));
      }
      int passed = 0;
      while (passed < 50 && slow.stream().noneMatch(Future::isDone)) {
        everything.echoInt(passed++);
      }
      assertThat(passed).isGreaterThan(3); // the first alone could have waited for a slow one
      for (Future<Integer> call : slow) {
        call.get();
      }
      assertThat(everything.executions(id)).isEqualTo(4);
    } finally {
      pool.shutdownNow();
    }
  }

  @Case
  void largePayloadsLetSmallCallsPass() throws Exception {
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try {
      Future<Integer> large = pool.submit(() -> everything.produce(30 * 1024 * 1024, 1).length);
      int passed = 0;
      while (!large.isDone()) {
        everything.echoInt(passed++);
      }
      assertThat(large.get()).isEqualTo(30 * 1024 * 1024);
      assertThat(passed).isGreaterThan(3);
    } finally {
      pool.shutdownNow();
    }
  }

  private static void all(IntFunction<Callable<Void>> work) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      CountDownLatch together = new CountDownLatch(THREADS);
      List<Future<Void>> running = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        Callable<Void> task = work.apply(thread);
        running.add(
            pool.submit(
                () -> {
                  together.countDown();
                  together.await();
                  return task.call();
                }));
      }
      for (Future<Void> each : running) {
        each.get(60, TimeUnit.SECONDS);
      }
    } finally {
      pool.shutdownNow();
    }
  }
}
