package io.rmigate.gateway.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * JVMs whose program is over and that wait for the next test that wants the same program in a JVM
 * with the same options. To start a JVM and to load the classes of a gateway costs two seconds of a
 * processor; to start the next gateway in it a tenth of that. They end with this JVM: their
 * standard input does.
 *
 * <p>Thread-safe.
 */
final class ReusableJvms {
  /** Each takes some hundred megabytes, and several JVMs run tests at a time. */
  private static final int MOST_IDLE = 4;

  private static final AtomicInteger STARTED = new AtomicInteger();

  /** The idle JVMs, the one that was given back last at the end; guarded by itself. */
  private static final List<Idle> IDLE = new ArrayList<>();

  private record Idle(List<String> command, JvmProcess jvm) {}

  private ReusableJvms() {}

  /** A new directory for the files of one JVM, whose {@code tmp} is for temporary ones. */
  static Path directory() throws IOException {
    Path directory = WorkOfThisJvm.DIRECTORY.resolve("jvm-" + STARTED.incrementAndGet());
    Files.createDirectories(directory.resolve("tmp"));
    return directory;
  }

  /** An idle JVM with that command line, for the caller alone; empty if there is none. */
  static Optional<JvmProcess> take(List<String> command) {
    synchronized (IDLE) {
      for (int i = IDLE.size() - 1; i >= 0; i--) {
        Idle idle = IDLE.get(i);
        if (idle.command.equals(command)) {
          IDLE.remove(i);
          if (idle.jvm.process().isAlive()) {
            return Optional.of(idle.jvm);
          }
        }
      }
      return Optional.empty();
    }
  }

  /** Keeps a JVM, whose program is over, for the next user; ends the one that is idle longest. */
  static void giveBack(List<String> command, JvmProcess jvm) {
    synchronized (IDLE) {
      IDLE.add(new Idle(command, jvm));
      if (IDLE.size() > MOST_IDLE) {
        IDLE.remove(0).jvm.endIdle();
      }
    }
  }

  /** The processes that are idle: no test has left them behind. */
  static Set<Long> idle() {
    synchronized (IDLE) {
      return IDLE.stream().map(idle -> idle.jvm.process().pid()).collect(Collectors.toSet());
    }
  }
}
