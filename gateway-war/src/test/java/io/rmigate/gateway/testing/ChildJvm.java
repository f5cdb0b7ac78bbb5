package io.rmigate.gateway.testing;

import io.rmigate.testing.TestTimes;
import io.rmigate.testing.TestTimes.Activity;
import java.io.File;
import java.io.IOException;
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
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Java program in a process of its own, or in a JVM that has run the same program before ({@link
 * Builder#reusable}). Its output, both streams, is kept in memory and in {@code
 * <directory>/<name>.log}; each failure is reported together with it. Its temporary files go to
 * {@code <directory>/tmp-<name>}, where {@link LeftoverCheck} looks for what it did not remove.
 *
 * <p>Thread-safe.
 */
public final class ChildJvm implements AutoCloseable {
  /** A gateway drains for 20 s if it is left to find out that a client is gone. */
  static final Duration STOP_TIMEOUT = Duration.ofSeconds(45);

  /** The system property with the home of the JDK that child JVMs run on. */
  public static final String JDK = "rmigate.test.jdk";

  private final String name;
  private final boolean reusable;
  private final Writer log; // guarded by lock
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<String> output = new ArrayList<>(); // guarded by lock
  private boolean ended; // guarded by lock; the output is complete
  private int exitCode; // guarded by lock; once it has ended
  private int asked; // guarded by lock; lines before the last question
  private JvmProcess jvm; // set before anybody else has this

  /** When it was started, in nanoseconds; 0 after the first wait for it. */
  private final AtomicLong starting = new AtomicLong(System.nanoTime());

  private ChildJvm(String name, boolean reusable, Path log) throws IOException {
    this.name = name;
    this.reusable = reusable;
    this.log = Files.newBufferedWriter(log);
  }

  /** Describes a program to start; {@code name} is for messages and file names. */
  public static Builder named(String name, Path directory) {
    return new Builder(name, directory);
  }

  /**
   * The JDK that child JVMs run on: the system property {@link #JDK}, else the one that runs the
   * test.
   */
  public static Path jdk() {
    return Path.of(System.getProperty(JDK, System.getProperty("java.home")));
  }

  /** Called by the thread that reads the output. */
  void add(String line) {
    lock.lock();
    try {
      output.add(line);
      log.write(line + "\n");
      log.flush();
      changed.signalAll();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      lock.unlock();
    }
  }

  /** Called by the thread that reads the output, at its end. */
  void end(int code) {
    lock.lock();
    try {
      ended = true;
      exitCode = code;
      changed.signalAll();
      log.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      lock.unlock();
    }
  }

  private boolean awaitEnd(Duration timeout) throws InterruptedException {
    long left = timeout.toNanos();
    lock.lock();
    try {
      while (!ended && left > 0) {
        left = changed.awaitNanos(left);
      }
      return ended;
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
      jvm.write(line);
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
    long since = System.nanoTime();
    lock.lock();
    try {
      int next = from;
      while (true) {
        for (; next < output.size(); next++) {
          Matcher matcher = pattern.matcher(output.get(next));
          if (matcher.find()) {
            account(since);
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

  /** Accounts a wait that ends now; the first one is a part of the start. */
  private void account(long since) {
    long started = starting.getAndSet(0);
    TestTimes.add(
        started == 0 ? Activity.WAITING : Activity.JVM_START, started == 0 ? since : started);
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
    String state = isAlive() ? "still running" : "exit code " + exitCode();
    return lines.stream()
        .skip(Math.max(0, lines.size() - 200))
        .collect(Collectors.joining("\n  | ", what + " (" + state + "); its output:\n  | ", "\n"));
  }

  /** The operating system's number of the process. */
  public long pid() {
    return jvm.process().pid();
  }

  /** Whether the program has not ended yet. */
  public boolean isAlive() {
    lock.lock();
    try {
      return !ended && jvm.process().isAlive();
    } finally {
      lock.unlock();
    }
  }

  private int exitCode() {
    lock.lock();
    try {
      return ended ? exitCode : jvm.process().exitValue();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the end and returns the exit code. */
  public int awaitExit(Duration timeout) throws InterruptedException {
    long since = System.nanoTime();
    if (!awaitEnd(timeout)) {
      throw new AssertionError(describe(name + " did not end within " + timeout));
    }
    account(since);
    return exitCode();
  }

  /** A thread dump by the JDK's own tool; for the message when something hangs. */
  public String threadDump() {
    try {
      Process jstack =
          new ProcessBuilder(jdk().resolve("bin/jstack").toString(), "-l", Long.toString(pid()))
              .redirectErrorStream(true)
              .start();
      String dump = new String(jstack.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return name + "\n" + dump;
    } catch (IOException e) {
      return name + ": no thread dump: " + e;
    }
  }

  /** What a full collection leaves in the heap, in bytes. */
  public long liveHeapBytes() throws IOException {
    Process jcmd =
        new ProcessBuilder(
                jdk().resolve("bin/jcmd").toString(), Long.toString(pid()), "GC.class_histogram")
            .redirectErrorStream(true)
            .start();
    String said = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Matcher total = Pattern.compile("(?m)^Total +\\d+ +(\\d+)").matcher(said);
    if (!total.find()) {
      throw new IOException(name + ": no histogram: " + said);
    }
    return Long.parseLong(total.group(1));
  }

  /** Ends the process as a power cut would: no shutdown hook runs. */
  public void kill() throws InterruptedException {
    if (reusable && !isAlive()) {
      return; // the process may run the program of the next test by now
    }
    jvm.kill();
  }

  /**
   * Asks the program to stop, and kills it if it does not.
   *
   * @throws AssertionError it had to be killed, or its JVM ended although it is reusable
   */
  @Override
  public void close() {
    long since = System.nanoTime();
    try {
      if (reusable) {
        closeReusable();
      } else {
        closeProcess();
      }
    } finally {
      TestTimes.add(Activity.WAITING, since);
    }
  }

  private void closeProcess() {
    // What it started itself would otherwise be orphaned by a kill.
    List<ProcessHandle> descendants = jvm.process().descendants().toList();
    jvm.process().destroy();
    try {
      if (!jvm.awaitEnd(STOP_TIMEOUT)) {
        throw notStopped();
      }
    } catch (InterruptedException e) {
      jvm.process().destroyForcibly();
      Thread.currentThread().interrupt();
    } finally {
      descendants.forEach(ProcessHandle::destroyForcibly);
    }
  }

  private void closeReusable() {
    try {
      if (isAlive()) {
        jvm.write(ProgramRunner.END);
      }
      if (!awaitEnd(STOP_TIMEOUT)) {
        throw notStopped();
      }
      if (exitCode() == ProgramRunner.NOT_REUSABLE) {
        throw new AssertionError(describe(name + " has left something behind"));
      }
    } catch (IOException e) {
      throw new AssertionError(describe(name + " takes no input: " + e), e);
    } catch (InterruptedException e) {
      jvm.process().destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private AssertionError notStopped() throws InterruptedException {
    String dump = threadDump();
    jvm.kill();
    return new AssertionError(
        describe(name + " did not stop within " + STOP_TIMEOUT) + "\n" + dump);
  }

  @Override
  public String toString() {
    return name + " (pid " + pid() + ")";
  }

  /** What to start, and how. Not thread-safe. */
  public static final class Builder {
    private final String name;
    private final Path directory;
    private final List<String> jvmOptions = new ArrayList<>();
    private final List<Path> classPath = new ArrayList<>();
    private final List<String> program = new ArrayList<>();
    private final List<String> arguments = new ArrayList<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private List<String> entrance = List.of();
    private Path java = jdk().resolve("bin/java");
    private Path temporary;
    private String reused;

    private Builder(String name, Path directory) {
      this.name = name;
      this.directory = directory;
      temporary = directory.resolve("tmp-" + name);
    }

    public Builder jvmOptions(String... options) {
      jvmOptions.addAll(Arrays.asList(options));
      return this;
    }

    /** Has our javaagent there say more than warnings, such as that a link is lost. */
    public Builder agentLogsInfo() throws IOException {
      Path logging =
          Files.writeString(
              directory.resolve("logging-" + name + ".properties"),
              "handlers=java.util.logging.ConsoleHandler\nio.rmigate.level=INFO\n");
      return property("java.util.logging.config.file", logging);
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

    /**
     * Runs it in a JVM that has run the same main class with the same options before, if there is
     * one, and leaves the JVM for the next. {@link #close} ends the program, and not the JVM;
     * {@link #kill} ends both. The program ends with its standard input, or when it is interrupted,
     * and by returning from {@code main}. Its classes are loaded anew. The working directory and
     * {@link #temporary} are those of the JVM. RMI goes on to listen at the anonymous ports of a
     * program that has ended; a test that needs those ports closed kills the JVM.
     */
    public Builder reusable() {
      reused = ProgramRunner.NEW_CLASSES;
      return this;
    }

    /** As {@link #reusable}, with the classes as the runs before have left them. */
    public Builder reusableWithClasses() {
      reused = ProgramRunner.SAME_CLASSES;
      return this;
    }

    /** What its classes are loaded from. */
    public Builder classPath(Path... entries) {
      classPath.addAll(Arrays.asList(entries));
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

    public Builder arguments(String... more) {
      arguments.addAll(Arrays.asList(more));
      return this;
    }

    /** Starts the program; the caller closes it. */
    public ChildJvm start() {
      try {
        Files.createDirectories(directory);
        ChildJvm child = new ChildJvm(name, reused != null, directory.resolve(name + ".log"));
        if (reused == null) {
          Files.createDirectories(temporary);
          List<String> command =
              command(List.of("-Djava.io.tmpdir=" + temporary), classPath, program);
          command.addAll(arguments);
          child.jvm = new JvmProcess(start(command, directory), child, () -> {});
        } else {
          child.jvm = reuse(child);
          child.jvm.write(
              ProgramRunner.START
                  + arguments.stream()
                      .map(argument -> ProgramRunner.CONTROL + argument)
                      .collect(Collectors.joining()));
        }
        return child;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private JvmProcess reuse(ChildJvm child) throws IOException {
      List<String> runner =
          Stream.concat(Stream.of(ProgramRunner.class.getName(), reused), program.stream())
              .toList();
      List<Path> withRunner = new ArrayList<>(classPath);
      withRunner.add(BuiltArtefacts.codeSource(ProgramRunner.class));
      List<String> key = command(List.of(environment.toString()), withRunner, runner);
      Optional<JvmProcess> idle = ReusableJvms.take(key);
      if (idle.isPresent()) {
        idle.get().use(child);
        return idle.get();
      }
      Path own = ReusableJvms.directory();
      List<String> options = new ArrayList<>(ProgramRunner.OPTIONS);
      options.add("-Djava.io.tmpdir=" + own.resolve("tmp"));
      options.add("-D" + ProgramRunner.CLASS_PATH + "=" + joined(classPath));
      AtomicReference<JvmProcess> started = new AtomicReference<>();
      started.set(
          new JvmProcess(
              start(command(options, withRunner, runner), own),
              child,
              () -> ReusableJvms.giveBack(key, started.get())));
      return started.get();
    }

    private static String joined(List<Path> path) {
      return path.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    private List<String> command(List<String> first, List<Path> path, List<String> last) {
      List<String> command = new ArrayList<>(entrance);
      command.add(java.toString());
      command.addAll(first);
      // Small and quick to start: several of these run at a time on two processors.
      command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
      command.addAll(jvmOptions);
      if (!path.isEmpty()) {
        command.addAll(List.of("-cp", joined(path)));
      }
      command.addAll(last);
      return command;
    }

    private Process start(List<String> command, Path at) throws IOException {
      ProcessBuilder builder =
          new ProcessBuilder(command).directory(at.toFile()).redirectErrorStream(true);
      // JVM options in the environment of the build must not reach the programs under test.
      builder.environment().keySet().removeIf(key -> key.endsWith("JAVA_OPTIONS"));
      builder.environment().remove("JAVA_TOOL_OPTIONS");
      builder.environment().putAll(environment);
      TestTimes.countJvm();
      return builder.start();
    }
  }
}
