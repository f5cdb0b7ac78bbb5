package io.rmigate.gateway.container.kits;

import io.rmigate.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A server of another kind than ours, in a process of its own, with a log file. */
final class Server implements AutoCloseable {
  private static final Duration SOON = Patience.PATIENCE;
  private static final int CONNECT_MILLIS = 1_000;

  private final Process process;
  private final Path log;

  private Server(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * Starts it and returns when it listens.
   *
   * @param log for its output
   * @param port of loopback
   */
  static Server start(Tool tool, Path log, int port, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(tool.program().toString());
    command.addAll(Arrays.asList(arguments));
    Process process =
        new ProcessBuilder(command)
            .directory(log.getParent().toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    Server server = new Server(process, log);
    try {
      Awaitility.await().atMost(SOON).until(() -> !process.isAlive() || listens(port));
      if (!process.isAlive()) {
        throw new AssertionError(tool + " has ended:\n" + server.output());
      }
      return server;
    } catch (AssertionError | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  /** All that it has said. */
  String output() {
    try {
      return Files.readString(log);
    } catch (MalformedInputException halfWritten) {
      return "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(SOON.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly().waitFor();
        throw new AssertionError("did not stop:\n" + output());
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
