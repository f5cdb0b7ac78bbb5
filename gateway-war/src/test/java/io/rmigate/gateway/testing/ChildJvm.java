package io.rmigate.gateway.testing;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A Java program in a process of its own. Its output, both streams, is kept in memory and in {@code
 * <directory>/<name>.log}; whatever goes wrong is reported together with it. Its temporary files go
 * to {@code <directory>/tmp-<name>}, where {@link LeftoverCheck} looks for what it did not remove.
 *
 * <p>Thread-safe. One daemon thread reads the output and ends with the process.
 */
public final class ChildJvm implements AutoCloseable {
  /** A gateway drains for 20 s if it is left to find out that a client is gone. */
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(45);

  private final String name;
  private final Process process;
  private final Writer input;
  private final Thread reader;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<String> output = new ArrayList<>(); // guarded by lock
  private boolean ended; // guarded by lock; the output is complete
  private int asked; // guarded by lock; lines before the last question

  private ChildJvm(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    input =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    reader = new Thread(() -> read(log), "output of " + name);
    reader.setDaemon(true);
    reader.start();
  }

  /** Describes a program to start; {@code name} is for messages and file names. */
  public static Builder named(String name, Path directory) {
    return new Builder(name, directory);
  }

  /**
   * The JDK that child JVMs run on: the system property {@code rmigate.test.jdk}, else the one that
   * runs the test.
   */
  public static Path jdk() {
    return Path.of(System.getProperty("rmigate.test.jdk", System.getProperty("java.home")));
  }

  private void read(Path log) {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        Writer copy = Files.newBufferedWriter(log)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        copy.write(line + "\n");
        copy.flush();
        add(line);
      }
      // The output ends a moment before the process; only together they are the end.
      process.waitFor(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (IOException e) {
      add("[output ended: " + e + "]");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nobody does; the thread ends either way
    } finally {
      lock.lock();
      try {
        ended = true;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private void add(String line) {
    lock.lock();
    try {
      output.add(line);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for a line of output, past ones included, in which {@code pattern} is found.
   *
   * @return the match
   * @throws AssertionError it did not come in time, or the process ended without it
   */
  public Matcher awaitLine(Pattern pattern, Duration timeout) throws InterruptedException {
    return awaitLine(0, pattern, timeout);
  }

  /**
   * Writes a line to the program's standard input and waits for the answer, a later line in which
   * {@code answer} is found. One question at a time.
   */
  public Matcher ask(String line, Pattern answer, Duration timeout) throws InterruptedException {
    lock.lock();
    try {
      asked = output.size();
    } finally {
      lock.unlock();
    }
    try {
      input.write(line + "\n");
      input.flush();
    } catch (IOException e) {
      throw new AssertionError(describe(name + " takes no input: " + e), e);
    }
    return awaitLine(asked, answer, timeout);
  }

  /** The lines of output since the last {@link #ask}. */
  public String outputSinceAsked() {
    lock.lock();
    try {
      return String.join("\n", output.subList(asked, output.size()));
    } finally {
      lock.unlock();
    }
  }

  private Matcher awaitLine(int from, Pattern pattern, Duration timeout)
      throws InterruptedException {
    long left = timeout.toNanos();
    lock.lock();
    try {
      int next = from;
      while (true) {
        for (; next < output.size(); next++) {
          Matcher matcher = pattern.matcher(output.get(next));
          if (matcher.find()) {
            return matcher;
          }
        }
        if (ended) {
          throw new AssertionError(describe(name + " ended without a line like " + pattern));
        }
        if (left <= 0) {
          throw new AssertionError(
              describe("no line like " + pattern + " from " + name + " within " + timeout));
        }
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** All output so far. */
  public List<String> output() {
    lock.lock();
    try {
      return List.copyOf(output);
    } finally {
      lock.unlock();
    }
  }

  private String describe(String what) {
    List<String> lines = output();
    String state = process.isAlive() ? "still running" : "exit code " + process.exitValue();
    return lines.stream()
        .skip(Math.max(0, lines.size() - 200))
        .collect(Collectors.joining("\n  | ", what + " (" + state + "); its output:\n  | ", "\n"));
  }

  /** The operating system's number of the process. */
  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Waits for the end and returns the exit code. */
  public int awaitExit(Duration timeout) throws InterruptedException {
    if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError(describe(name + " did not end within " + timeout));
    }
    reader.join();
    return process.exitValue();
  }

  /** A thread dump by the JDK's own tool; for the message when something hangs. */
  public String threadDump() {
    try {
      Process jstack =
          new ProcessBuilder(
                  jdk().resolve("bin/jstack").toString(), "-l", Long.toString(process.pid()))
              .redirectErrorStream(true)
              .start();
      String dump = new String(jstack.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return name + "\n" + dump;
    } catch (IOException e) {
      return name + ": no thread dump: " + e;
    }
  }

  /** Ends the process as a power cut would: no shutdown hook runs. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
    reader.join();
  }

  /**
   * Asks the process to stop, and kills it if it does not.
   *
   * @throws AssertionError it had to be killed
   */
  @Override
  public void close() {
    // What it started itself would otherwise be orphaned by a kill.
    List<ProcessHandle> descendants = process.descendants().toList();
    process.destroy();
    try {
      if (!process.waitFor(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        String dump = threadDump();
        kill();
        throw new AssertionError(
            describe(name + " did not stop within " + STOP_TIMEOUT) + "\n" + dump);
      }
      reader.join();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    } finally {
      descendants.forEach(ProcessHandle::destroyForcibly);
    }
  }

  @Override
  public String toString() {
    return name + " (pid " + process.pid() + ")";
  }

  /** What to start, and how. Not thread-safe. */
  public static final class Builder {
    private final String name;
    private final Path directory;
    private final List<String> jvmOptions = new ArrayList<>();
    private final List<String> program = new ArrayList<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private List<String> entrance = List.of();
    private Path java = jdk().resolve("bin/java");
    private Path temporary;

    private Builder(String name, Path directory) {
      this.name = name;
      this.directory = directory;
      temporary = directory.resolve("tmp-" + name);
    }

    public Builder jvmOptions(String... options) {
      jvmOptions.addAll(Arrays.asList(options));
      return this;
    }

    public Builder property(String key, Object value) {
      jvmOptions.add("-D" + key + "=" + value);
      return this;
    }

    public Builder environment(String key, String value) {
      environment.put(key, value);
      return this;
    }

    /** Runs it in a network of its own. */
    public Builder inside(NetworkNamespace namespace) {
      entrance = namespace.entrance();
      return this;
    }

    /** Runs it with another {@code java} than that of {@link #jdk}. */
    public Builder with(Path otherJava) {
      java = otherJava;
      return this;
    }

    /** Where {@code java.io.tmpdir} points instead of {@code tmp-<name>}. */
    public Builder temporary(Path other) {
      temporary = other;
      return this;
    }

    public Builder classPath(Path... entries) {
      jvmOptions.add("-cp");
      jvmOptions.add(
          Arrays.stream(entries)
              .map(Path::toString)
              .collect(Collectors.joining(File.pathSeparator)));
      return this;
    }

    /** The main class; last before the arguments. */
    public Builder main(String className) {
      program.add(className);
      return this;
    }

    /** An executable jar instead of a main class. */
    public Builder jar(Path jar) {
      program.addAll(List.of("-jar", jar.toString()));
      return this;
    }

    public Builder arguments(String... arguments) {
      program.addAll(Arrays.asList(arguments));
      return this;
    }

    /** Starts the process; the caller closes it. */
    public ChildJvm start() {
      try {
        Files.createDirectories(temporary);
        List<String> command = new ArrayList<>(entrance);
        command.add(java.toString());
        command.add("-Djava.io.tmpdir=" + temporary);
        // Small and quick to start: several of these run at a time on two processors.
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));
        command.addAll(jvmOptions);
        command.addAll(program);
        ProcessBuilder builder =
            new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        // Options of the environment of whoever runs the tests are not part of them.
        builder.environment().keySet().removeIf(key -> key.endsWith("JAVA_OPTIONS"));
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().putAll(environment);
        return new ChildJvm(name, builder.start(), directory.resolve(name + ".log"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
