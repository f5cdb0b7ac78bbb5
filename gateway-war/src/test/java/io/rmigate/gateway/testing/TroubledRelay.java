package io.rmigate.gateway.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A TCP relay between agent and gateway that does what bad networks do, when it is told to. */
public final class TroubledRelay implements AutoCloseable {
  private static final int LONGEST_SLICE = 7;

  private final InetSocketAddress target;
  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger connections = new AtomicInteger();
  private volatile boolean slicing;
  private volatile CountDownLatch thaw = new CountDownLatch(0);

  private TroubledRelay(int port) throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    target = new InetSocketAddress(loopback, port);
    listener = new ServerSocket(0, 50, loopback);
    start(this::acceptAll);
  }

  /** To that port of loopback, listening at any free one of loopback. */
  public static TroubledRelay to(int port) throws IOException {
    return new TroubledRelay(port);
  }

  /** Where it listens. */
  public int port() {
    return listener.getLocalPort();
  }

  /** How many connections have been made. */
  public int connections() {
    return connections.get();
  }

  /** Resets every connection there is, on both sides. */
  public void reset() {
    for (Socket socket : open) {
      try {
        socket.setSoLinger(true, 0);
      } catch (IOException closed) {
        // It has ended by itself.
      }
      end(socket);
    }
  }

  /** Nothing passes from here on and nobody is told, new connections included. */
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

  private void acceptAll() {
    while (!listener.isClosed()) {
      try {
        connect(listener.accept());
      } catch (IOException closed) {
        // By close, which ends the loop; or the gateway refused, and the agent has been told.
      }
    }
  }

  private void connect(Socket agent) throws IOException {
    open.add(agent);
    Socket gateway = new Socket();
    open.add(gateway);
    try {
      gateway.connect(target);
      agent.setTcpNoDelay(true);
      gateway.setTcpNoDelay(true);
    } catch (IOException refused) {
      end(agent);
      end(gateway);
      throw refused;
    }
    connections.incrementAndGet();
    start(() -> pump(agent, gateway));
    start(() -> pump(gateway, agent));
    if (listener.isClosed()) { // perhaps unseen by close
      end(agent);
      end(gateway);
    }
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
      end(from);
      end(to);
    }
  }

  private void end(Socket socket) {
    open.remove(socket);
    try {
      socket.close();
    } catch (IOException already) {
      // Nothing is left to be closed.
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "troubled-relay");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    thaw();
    reset();
  }
}
