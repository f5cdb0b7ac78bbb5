package io.rmigate.gateway.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class that leaves anything behind: a child process that is not idle in {@link
 * ReusableJvms}, a thread that would keep the JVM alive, a listening TCP port, or a file in the
 * temporary directory of a child JVM that was stopped in good order.
 */
public final class LeftoverCheck implements BeforeAllCallback, AfterAllCallback {
  private static final Duration GRACE = Duration.ofSeconds(30);
  private static final String LISTEN_STATE = "0A"; // proc(5), as in the kernel's tcp_states.h

  private final Set<Thread> threadsBefore = new HashSet<>();
  private final Set<String> portsBefore = new HashSet<>();
  private final Set<Long> childrenBefore = new HashSet<>();

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    if (isNested(context)) {
      return; // what the enclosing class has started is still needed
    }
    threadsBefore.addAll(nonDaemonThreads());
    portsBefore.addAll(listeningPorts());
    childrenBefore.addAll(children());
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    if (isNested(context)) {
      return;
    }
    try {
      // On this thread, or the one that looks would find itself.
      Awaitility.await().pollInSameThread().atMost(GRACE).until(() -> leftovers(context).isEmpty());
    } catch (ConditionTimeoutException e) {
      Assertions.assertThat(leftovers(context))
          .as("left over by %s", context.getDisplayName())
          .isEmpty();
    }
  }

  private static boolean isNested(ExtensionContext context) {
    return context.getRequiredTestClass().isMemberClass();
  }

  private List<String> leftovers(ExtensionContext context) throws IOException {
    List<String> leftovers = new ArrayList<>();
    children().stream()
        .filter(pid -> !childrenBefore.contains(pid))
        .forEach(pid -> leftovers.add("process " + pid));
    nonDaemonThreads().stream()
        .filter(thread -> !threadsBefore.contains(thread))
        .forEach(thread -> leftovers.add("thread " + thread.getName()));
    listeningPorts().stream()
        .filter(port -> !portsBefore.contains(port))
        .forEach(port -> leftovers.add("listening port " + port));
    Path work = BuiltArtefacts.workDirectory(context.getRequiredTestClass());
    if (Files.isDirectory(work)) {
      try (Stream<Path> files = Files.walk(work)) {
        files
            .filter(file -> file.getParent().getFileName().toString().startsWith("tmp-"))
            .forEach(file -> leftovers.add("temporary file " + file));
      }
    }
    return leftovers;
  }

  private static List<Long> children() {
    Set<Long> idle = ReusableJvms.idle();
    return ProcessHandle.current()
        .descendants()
        .map(ProcessHandle::pid)
        .filter(pid -> !idle.contains(pid))
        .toList();
  }

  private static List<Thread> nonDaemonThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.isAlive() && !thread.isDaemon())
        .toList();
  }

  /** This JVM's own listening ports, by the kernel's table; none where there is no such table. */
  private static Set<String> listeningPorts() throws IOException {
    Set<String> ports = new HashSet<>();
    Set<String> own = ownSockets();
    for (String table : List.of("/proc/self/net/tcp", "/proc/self/net/tcp6")) {
      Path path = Path.of(table);
      if (Files.isReadable(path)) {
        Files.readAllLines(path).stream()
            .map(line -> line.strip().split("\\s+"))
            .filter(columns -> columns[3].equals(LISTEN_STATE) && own.contains(columns[9]))
            .forEach(
                columns ->
                    ports.add(
                        Integer.toString(
                            Integer.parseInt(
                                columns[1].substring(columns[1].indexOf(':') + 1), 16))));
      }
    }
    return ports;
  }

  /** The inodes of the sockets this process has open. */
  private static Set<String> ownSockets() throws IOException {
    Set<String> inodes = new HashSet<>();
    Path descriptors = Path.of("/proc/self/fd");
    if (Files.isDirectory(descriptors)) {
      try (Stream<Path> links = Files.list(descriptors)) {
        for (Path link : links.toList()) {
          String target = targetOf(link);
          if (target.startsWith("socket:[")) {
            inodes.add(target.substring("socket:[".length(), target.length() - 1));
          }
        }
      }
    }
    return inodes;
  }

  private static String targetOf(Path link) throws IOException {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (NoSuchFileException e) {
      return ""; // closed since it was listed, as the descriptor of the listing itself is
    }
  }
}
