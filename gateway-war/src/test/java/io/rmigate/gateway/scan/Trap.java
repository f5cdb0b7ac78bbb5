package io.rmigate.gateway.scan;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * What shows that code of a stream's choice has run in a child JVM: a file that it has made, and a
 * connection from there. Its thread is a daemon and ends with it.
 */
final class Trap implements AutoCloseable {
  private static final String MARKERS = "rmigate.test.markers";
  private static final String PORT = "rmigate.test.trap";

  private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final AtomicInteger connections = new AtomicInteger();

  Trap() throws IOException {
    Thread thread = new Thread(this::listen, "trap");
    thread.setDaemon(true);
    thread.start();
  }

  private void listen() {
    try {
      while (true) {
        listener.accept().close();
        connections.incrementAndGet();
      }
    } catch (IOException closed) {
      // The trap was closed.
    }
  }

  /** The options of a JVM whose code leaves files there. */
  List<String> options(Path markers) throws IOException {
    Files.createDirectories(markers);
    return List.of("-D" + MARKERS + "=" + markers, "-D" + PORT + "=" + listener.getLocalPort());
  }

  /** Where it listens, at 127.0.0.1. */
  int port() {
    return listener.getLocalPort();
  }

  /** Connections so far. */
  int connections() {
    return connections.get();
  }

  /** Files so far. */
  static long markers(Path markers) throws IOException {
    try (Stream<Path> files = Files.list(markers)) {
      return files.count();
    }
  }

  /** Called by code that must not run. */
  static void step() {
    String markers = System.getProperty(MARKERS);
    if (markers == null) {
      return;
    }
    try {
      Files.createTempFile(Path.of(markers), "marker", "");
      new Socket(InetAddress.getLoopbackAddress(), Integer.getInteger(PORT)).close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
