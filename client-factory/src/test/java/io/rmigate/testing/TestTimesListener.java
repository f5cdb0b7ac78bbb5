package io.rmigate.testing;

import io.rmigate.testing.TestTimes.Activity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionEvaluationListener;
import org.awaitility.core.EvaluatedCondition;
import org.awaitility.core.TimeoutEvent;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Appends a line to {@code <directory>/<fork>.tsv} at the end of each test class: its name, the
 * epoch milliseconds of its begin, the milliseconds it took, the processor's milliseconds of this
 * JVM and of the processes that it started, and the columns of {@link TestTimes#line}. The
 * directory is the system property {@code rmigate.test.times}, else {@code target/test-times}.
 *
 * <p>JUnit finds it by {@code META-INF/services} in every module that has this test-jar. Confined
 * to the thread that runs the tests.
 */
public final class TestTimesListener implements TestExecutionListener {
  /** A clock tick of {@code /proc}: USER_HZ is 100 on every platform of Linux that has a JDK. */
  private static final long TICK_MILLIS = 10;

  private static final Path STAT = Path.of("/proc/self/stat");

  private final Path file;
  private TestIdentifier running; // null between test classes
  private TestTimes outer; // of the class whose test runs this one, if any
  private TestTimes times;
  private long begunMillis;
  private long begun;
  private long ownCpu;
  private long childrenCpu;

  /** Called by JUnit. */
  public TestTimesListener() {
    this(
        Path.of(System.getProperty("rmigate.test.times", "target/test-times"))
            .resolve(System.getProperty("rmigate.test.fork", "fork") + ".tsv"));
  }

  TestTimesListener(Path file) {
    this.file = file;
  }

  @Override
  public void executionStarted(TestIdentifier started) {
    if (running != null || !(started.getSource().orElse(null) instanceof ClassSource)) {
      return;
    }
    running = started;
    Awaitility.setDefaultConditionEvaluationListener(new Waits());
    begunMillis = System.currentTimeMillis();
    begun = System.nanoTime();
    ownCpu = cpuMillis(ProcessHandle.current());
    childrenCpu = childrenCpuMillis();
    times = new TestTimes(begun);
    outer = TestTimes.replace(times);
  }

  @Override
  public void executionFinished(TestIdentifier finished, TestExecutionResult result) {
    if (!finished.equals(running)) {
      return;
    }
    running = null;
    TestTimes.replace(outer);
    String line =
        String.join(
            "\t",
            ((ClassSource) finished.getSource().orElseThrow()).getClassName(),
            Long.toString(begunMillis),
            Long.toString(Duration.ofNanos(System.nanoTime() - begun).toMillis()),
            Long.toString(cpuMillis(ProcessHandle.current()) - ownCpu),
            Long.toString(childrenCpuMillis() - childrenCpu),
            times.line() + "\n");
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // JUnit logs it as a warning; no test fails
    }
  }

  private static long cpuMillis(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis();
  }

  /** Of the processes that have ended (cutime and cstime of proc(5)) and of those that run. */
  private static long childrenCpuMillis() {
    long ended = 0;
    if (Files.exists(STAT)) {
      try {
        String stat = Files.readString(STAT, StandardCharsets.ISO_8859_1);
        // The first field after the command is the third of the line; cutime is the 16th.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        ended = TICK_MILLIS * (Long.parseLong(fields[13]) + Long.parseLong(fields[14]));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return ended
        + ProcessHandle.current().descendants().mapToLong(TestTimesListener::cpuMillis).sum();
  }

  /** Accounts each wait by Awaitility. */
  private static final class Waits implements ConditionEvaluationListener<Object> {
    @Override
    public void conditionEvaluated(EvaluatedCondition<Object> condition) {
      if (condition.isSatisfied()) {
        add(condition.getElapsedTimeInMS());
      }
    }

    @Override
    public void onTimeout(TimeoutEvent timeout) {
      add(timeout.getElapsedTimeInMS());
    }

    private static void add(long millis) {
      TestTimes.add(Activity.WAITING, System.nanoTime() - Duration.ofMillis(millis).toNanos());
    }
  }
}
