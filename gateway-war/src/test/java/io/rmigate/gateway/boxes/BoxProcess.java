package io.rmigate.gateway.boxes;

import static org.awaitility.Awaitility.await;

import io.rmigate.gateway.testing.NetworkNamespace;
import io.rmigate.testing.LoopbackPort;
import io.rmigate.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A program of the operating system's packages, in the foreground, with a directory of its own for
 * the files that it reads and writes; closing deletes it. That is not below the build's
 * directories: such programs give up root, if they have it, and would have to pass through them.
 */
final class BoxProcess implements BoxPart {
  private static final Duration SOON = Patience.PATIENCE;
  private static final int ATTEMPTS = 3;
  private static final int SHOWN_CHARS = 3_000;

  /** What to run. */
  interface Recipe {
    /**
     * Writes configuration files.
     *
     * @param directory its own
     * @param port at which it has to listen
     * @return the command
     */
    List<String> prepare(Path directory, int port) throws IOException, InterruptedException;
  }

  private final Path directory;
  private final int port;
  private final Process process;

  private BoxProcess(Path directory, int port, Process process) {
    this.directory = directory;
    this.port = port;
    this.process = process;
  }

  /** Starts it at a port of loopback, and returns when it listens there. */
  static BoxProcess start(Recipe recipe) throws IOException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      BoxProcess started = launch(recipe, List.of(), LoopbackPort.free());
      if (started.comesUp()) {
        return started;
      }
      String logs = started.logs();
      started.close();
      if (attempt == ATTEMPTS) { // another program was quicker to take the port
        throw new AssertionError("does not start:\n" + logs);
      }
    }
  }

  /** Starts it in a network of its own, and returns when it listens at that port there. */
  static BoxProcess start(Recipe recipe, NetworkNamespace inside, int port)
      throws IOException, InterruptedException {
    BoxProcess started = launch(recipe, inside.entrance(), port);
    try {
      await().atMost(SOON).until(started::listensInItsNetwork);
      return started;
    } catch (ConditionTimeoutException e) {
      String logs = started.logs();
      started.close();
      throw new AssertionError("does not listen:\n" + logs, e);
    }
  }

  private static BoxProcess launch(Recipe recipe, List<String> entrance, int port)
      throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("rmigate-box");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    List<String> command = new ArrayList<>(entrance);
    command.addAll(recipe.prepare(directory, port));
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("output.log").toFile())
            .start();
    return new BoxProcess(directory, port, process);
  }

  private boolean comesUp() {
    await()
        .pollInterval(Duration.ofMillis(50))
        .atMost(SOON)
        .until(() -> listens() || !process.isAlive());
    return process.isAlive();
  }

  private boolean listens() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  /** By the kernel's table of that network (proc(5)), which cannot be entered from here. */
  private boolean listensInItsNetwork() throws IOException {
    String listening = ":%04X 00000000:0000 0A".formatted(port);
    return Files.readString(Path.of("/proc/" + process.pid() + "/net/tcp")).contains(listening);
  }

  int port() {
    return port;
  }

  /** Its own. */
  Path directory() {
    return directory;
  }

  @Override
  public String logs() {
    StringBuilder logs = new StringBuilder();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".log")).sorted().toList()) {
        String text = Files.readString(file);
        logs.append("--- " + file.getFileName() + "\n")
            .append(text.substring(Math.max(0, text.length() - SHOWN_CHARS)));
      }
    } catch (IOException e) {
      logs.append("(its logs cannot be read: " + e + ")\n");
    }
    return logs.toString();
  }

  @Override
  public void close() {
    List<ProcessHandle> descendants = process.descendants().toList();
    process.destroy();
    try {
      if (!process.waitFor(5, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    descendants.forEach(ProcessHandle::destroyForcibly);
    await().atMost(SOON).until(() -> descendants.stream().noneMatch(ProcessHandle::isAlive));
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
