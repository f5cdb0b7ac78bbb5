package io.rmigate.gateway.testing;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The process of one {@link ChildJvm}, or of several that use it one after the other. One daemon
 * thread reads its output, passes it to the present user, and ends with the process.
 */
final class JvmProcess {
  private final Process process;
  private final Writer input;
  private final Thread reader;
  private final Runnable idle;
  private volatile ChildJvm user;

  /**
   * Begins to read.
   *
   * @param idle run by the reader when the program of a {@link ProgramRunner} is over, before its
   *     user is told
   */
  JvmProcess(Process process, ChildJvm first, Runnable idle) {
    this.process = process;
    this.user = first;
    this.idle = idle;
    input =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    reader = new Thread(this::read, "output of process " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  /** Whose output it is from now on. */
  void use(ChildJvm next) {
    user = next;
  }

  private void read() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        ChildJvm current = user;
        int end = line.indexOf(ProgramRunner.ENDED);
        if (end >= 0) {
          if (end > 0) { // the program has not ended its last line
            current.add(line.substring(0, end));
          }
          user = null;
          idle.run();
          current.end(Integer.parseInt(line.substring(end + ProgramRunner.ENDED.length())));
        } else if (current != null) {
          current.add(line);
        }
      }
    } catch (IOException e) {
      // Process.destroy closes the stream, while the program may still be stopping.
      ChildJvm current = user;
      if (current != null) {
        current.add("[output ended: " + e + "]");
      }
    }
    ChildJvm last = user;
    user = null;
    if (last != null) {
      last.end(awaitExitCode());
    }
  }

  /** The output ends before the process; only together they are the end. */
  private int awaitExitCode() {
    try {
      return process.waitFor(ChildJvm.STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
          ? process.exitValue()
          : -1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // no test interrupts this thread, which ends here
      return -1;
    }
  }

  /** Writes a line to the standard input. */
  void write(String line) throws IOException {
    synchronized (input) {
      input.write(line + "\n");
      input.flush();
    }
  }

  Process process() {
    return process;
  }

  /** Ends a {@link ProgramRunner} that runs no program, and does not wait for that. */
  void endIdle() {
    process.destroy();
  }

  /** Ends it as a power cut would, and waits for that. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
    reader.join();
  }

  /** Waits for the process and its output to end. */
  boolean awaitEnd(Duration timeout) throws InterruptedException {
    if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
      return false;
    }
    reader.join();
    return true;
  }
}
