package io.rmigate.gateway.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * JVMs whose program is over and that wait for the next test that wants the same program in a JVM
 * with the same options. To start a JVM and to load the classes of a gateway costs two seconds of a
 * processor; to start the next gateway in it a tenth of that. They end with this JVM: their
 * standard input does.
 *
 * <p>Thread-safe.
 */
final class ReusableJvms {
  private static final Path DIRECTORY =
      BuiltArtefacts.work().resolve("reusable-" + ProcessHandle.current().pid());
  private static final AtomicInteger STARTED = new AtomicInteger();

  private static final Map<List<String>, Deque<JvmProcess>> IDLE = new HashMap<>(); // guarded by

  // itself

  private ReusableJvms() {}

  /** A new directory for the files of one JVM, whose {@code tmp} is for temporary ones. */
  static Path directory() throws IOException {
    Path directory = DIRECTORY.resolve(Integer.toString(STARTED.incrementAndGet()));
    Files.createDirectories(directory.resolve("tmp"));
    return directory;
  }

  /** A JVM with that command line that is idle, no longer so; null if there is none. */
  static JvmProcess take(List<String> command) {
    synchronized (IDLE) {
      Deque<JvmProcess> idle = IDLE.getOrDefault(command, new ArrayDeque<>());
      while (!idle.isEmpty()) {
        JvmProcess next = idle.pop();
        if (next.process().isAlive()) {
          return next;
        }
      }
      return null;
    }
  }

  /** Keeps a JVM, whose program is over, for the next user. */
  static void giveBack(List<String> command, JvmProcess jvm) {
    synchronized (IDLE) {
      IDLE.computeIfAbsent(command, none -> new ArrayDeque<>()).push(jvm);
    }
  }

  /** The processes that are idle: no test has left them behind. */
  static Set<Long> idle() {
    Set<Long> pids = new HashSet<>();
    synchronized (IDLE) {
      IDLE.values().forEach(all -> all.forEach(jvm -> pids.add(jvm.process().pid())));
    }
    return pids;
  }
}
