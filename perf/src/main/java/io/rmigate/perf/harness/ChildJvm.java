package io.rmigate.perf.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** A JVM that this one has started. Its standard error goes to a file beside the results. */
public final class ChildJvm implements AutoCloseable {
  private static final Duration ANSWER = Duration.ofMinutes(2);
  private static final Queue<ChildJvm> ALIVE = new ConcurrentLinkedQueue<>();

  private static volatile Runnable onStart = () -> {};
  private static volatile List<String> options = List.of();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> ALIVE.forEach(ChildJvm::close)));
  }

  private final String name;
  private final Process process;
  private final BufferedReader out;
  private final Writer in;

  private ChildJvm(String name, Process process) {
    this.name = name;
    this.process = process;
    this.out = process.inputReader(StandardCharsets.UTF_8);
    this.in = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
  }

  /** Sets an action that each start of a JVM runs, on its thread; tests count starts with it. */
  static void onStart(Runnable action) {
    onStart = action;
  }

  /** Sets JVM options of each JVM that starts from now on; its own arguments follow them. */
  static void options(List<String> shared) {
    options = List.copyOf(shared);
  }

  /**
   * Starts a JVM.
   *
   * @param core the processor that it may use; negative: any
   */
  public static ChildJvm start(String name, Path jdk, int core, Path log, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    if (core >= 0) {
      command.addAll(List.of("taskset", "-c", Integer.toString(core)));
    }
    command.add(jdk.resolve("bin/java").toString());
    command.addAll(options);
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command).redirectError(Redirect.appendTo(log.toFile())).start();
    ChildJvm child = new ChildJvm(name + " (see " + log + ")", process);
    ALIVE.add(child);
    onStart.run();
    return child;
  }

  /** Waits for a line with this start and returns its rest; a JVM that hangs is killed. */
  public String await(String start) throws IOException {
    return within(ANSWER, "wait for \"" + start + "\"", () -> firstLine(start));
  }

  private String firstLine(String start) throws IOException {
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith(start)) {
        return line.substring(start.length()).strip();
      }
    }
    return null;
  }

  /** Sends a line and returns the answer; a JVM that hangs is killed. */
  public String ask(String line) throws IOException {
    return ask(line, ANSWER);
  }

  /** Sends a line and returns the answer; a JVM that takes longer is killed. */
  public String ask(String line, Duration patience) throws IOException {
    in.write(line + "\n");
    in.flush();
    String answer = within(patience, line, out::readLine);
    if (answer.startsWith("error")) {
      throw new IOException(name + " at: " + line + ": " + answer);
    }
    return answer;
  }

  /**
   * Waits for the end and returns the exit code; a JVM that hangs is killed.
   *
   * @param output file for its standard output
   */
  public int awaitEnd(Path output, Duration patience) throws IOException {
    try (Writer file = Files.newBufferedWriter(output)) {
      within(patience, "run to its end", () -> Long.toString(out.transferTo(file)));
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      close();
    }
  }

  /** Reads the JVM's output; returns null at its end. */
  private interface Reading {
    String run() throws IOException;
  }

  private String within(Duration patience, String what, Reading reading) throws IOException {
    CompletableFuture<Void> watch = new CompletableFuture<>();
    CompletableFuture<Void> watched =
        watch
            .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
            .whenComplete(
                (done, tooLate) -> {
                  if (tooLate != null) {
                    process.destroyForcibly();
                  }
                });
    String line = reading.run();
    watch.complete(null);
    if (watched.isCompletedExceptionally()) {
      throw new IOException(name + " hangs at: " + what);
    }
    if (line == null) {
      throw new IOException(name + " ended at: " + what);
    }
    return line;
  }

  /** The process id. */
  public long pid() {
    return process.pid(); // taskset has become java
  }

  @Override
  public void close() {
    ALIVE.remove(this);
    process.destroy();
    try {
      if (!process.waitFor(3, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
