package io.rmigate.gateway.container.callbacks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.LockSupport;

/** What both programs do besides: obey line by line, and collect garbage. */
final class Commands {
  private static final long PAUSE_NANOS = 200_000_000;

  /** Makes an answer of the words of a line. */
  interface Command {
    String obey(String[] words) throws Exception;
  }

  /** Until the input ends, or {@code exit}. */
  static void obey(Command command) throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine();
        line != null && !line.equals("exit");
        line = lines.readLine()) {
      try {
        System.out.println(command.obey(line.split(" ")));
      } catch (Exception failed) {
        System.out.println("failed " + failed.toString().replace("\n", " "));
      }
    }
  }

  /** Several times a second, by a thread of its own, until it is interrupted. */
  static void collectGarbage() {
    Thread collecting =
        new Thread(
            () -> {
              while (!Thread.currentThread().isInterrupted()) {
                System.gc();
                LockSupport.parkNanos(PAUSE_NANOS);
              }
            },
            "collecting");
    collecting.setDaemon(true);
    collecting.start();
  }

  private Commands() {}
}
