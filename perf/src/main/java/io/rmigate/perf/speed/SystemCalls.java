package io.rmigate.perf.speed;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Counts the system calls of a process by {@code strace -c}. */
final class SystemCalls implements AutoCloseable {
  private static final int NAME_BEHIND = 4;
  private static final int CALLS = 3;

  private final Process strace;
  private final Path summary;

  private SystemCalls(Process strace, Path summary) {
    this.strace = strace;
    this.summary = summary;
  }

  /**
   * Attaches to all threads of the process.
   *
   * @throws IOException strace is missing or may not attach; the message has the reason
   */
  static SystemCalls begin(long pid, Path summary) throws IOException {
    Files.deleteIfExists(summary);
    Process strace =
        new ProcessBuilder("strace", "-c", "-f", "-p", Long.toString(pid), "-o", summary.toString())
            .redirectErrorStream(true)
            .start();
    BufferedReader out = strace.inputReader(StandardCharsets.UTF_8);
    String line = out.readLine();
    if (line == null || !line.contains("attached")) {
      strace.destroyForcibly();
      throw new IOException("strace: " + line);
    }
    // Its further output, a line for each thread, fits into the pipe.
    return new SystemCalls(strace, summary);
  }

  /** Detaches, and returns the number of system calls since {@link #begin}. */
  long end() throws IOException {
    strace.destroy();
    try {
      if (!strace.waitFor(10, TimeUnit.SECONDS)) {
        throw new IOException("strace does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return total(Files.readAllLines(summary));
  }

  /** The sum of the column {@code calls} of a summary. */
  static long total(List<String> lines) {
    long total = 0;
    for (String line : lines) {
      String[] words = line.strip().split(" +", -1);
      if (words.length > NAME_BEHIND
          && Character.isDigit(words[CALLS].charAt(0))
          && !words[words.length - 1].equals("total")) {
        total += Long.parseLong(words[CALLS]);
      }
    }
    return total;
  }

  @Override
  public void close() {
    strace.destroyForcibly();
  }
}
