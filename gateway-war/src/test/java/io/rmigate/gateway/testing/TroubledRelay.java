package io.rmigate.gateway.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A TCP relay between agent and gateway that does what bad networks do, when it is told to. */
public final class TroubledRelay implements AutoCloseable {
  private static final int LONGEST_SLICE = 7;

  private final RelayedConnections relayed;
  private final AtomicInteger connections = new AtomicInteger();
  private volatile boolean slicing;
  private volatile CountDownLatch thaw = new CountDownLatch(0);

  private TroubledRelay(int port) throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    relayed =
        new RelayedConnections(
            loopback, 0, new InetSocketAddress(loopback, port), "troubled-relay");
    relayed.start(connections::incrementAndGet, (from, to, forth) -> pump(from, to));
  }

  /** To that port of loopback, listening at any free one of loopback. */
  public static TroubledRelay to(int port) throws IOException {
    return new TroubledRelay(port);
  }

  /** Where it listens. */
  public int port() {
    return relayed.port();
  }

  /** How many connections have been made. */
  public int connections() {
    return connections.get();
  }

  /** Resets every connection there is, on both sides. */
  public void reset() {
    for (Socket socket : relayed.open()) {
      try {
        socket.setSoLinger(true, 0);
      } catch (IOException closed) {
        // It has ended by itself.
      }
      relayed.end(socket);
    }
  }

  /** Nothing passes from here on, and no side is told; new connections included. */
  public void freeze() {
    thaw = new CountDownLatch(1);
  }

  /** Everything passes again, what has been held back first. */
  public void thaw() {
    thaw.countDown();
  }

  /** From here on bytes pass in slices of one to seven, or as they come. */
  public void slice(boolean on) {
    slicing = on;
  }

  private void pump(Socket from, Socket to) {
    byte[] buffer = new byte[64 * 1024];
    Random random = new Random();
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        thaw.await();
        int sent = 0;
        while (sent < count) {
          int slice = slicing ? 1 + random.nextInt(LONGEST_SLICE) : count;
          int length = Math.min(slice, count - sent);
          out.write(buffer, sent, length);
          sent += length;
        }
      }
    } catch (IOException broken) {
      // Both ends hear of it below.
    } catch (InterruptedException never) {
      Thread.currentThread().interrupt();
    } finally {
      relayed.end(from);
      relayed.end(to);
    }
  }

  @Override
  public void close() throws IOException {
    thaw();
    reset();
    relayed.close();
  }
}
