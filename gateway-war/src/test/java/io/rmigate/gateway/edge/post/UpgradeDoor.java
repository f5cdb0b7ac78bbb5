package io.rmigate.gateway.edge.post;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands before a gateway, passes POSTs on, and upgrades while it is open. When it is shut the
 * WebSockets that have come through break.
 */
public final class UpgradeDoor implements AutoCloseable {
  private static final byte[] REFUSAL =
      "HTTP/1.1 426 Upgrade Required\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
          .getBytes(StandardCharsets.US_ASCII);

  private final ServerSocket listener;
  private final int target;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final Map<Socket, Socket> webSockets = new ConcurrentHashMap<>();
  private volatile boolean open;

  /** Before that port of loopback; shut. */
  public UpgradeDoor(int target) throws IOException {
    this.target = target;
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::acceptAll);
  }

  /** Where it listens, on loopback. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Upgrades from here on. */
  public void open() {
    open = true;
  }

  /** Refuses upgrades from here on, and breaks what has come through. */
  public void shut() throws IOException {
    open = false;
    for (Socket socket : webSockets.keySet()) {
      socket.close();
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "upgrade-door");
    thread.setDaemon(true);
    thread.start();
  }

  private void acceptAll() {
    while (true) {
      try {
        Socket socket = listener.accept();
        sockets.add(socket);
        start(() -> serve(socket));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket client) {
    try (client;
        Socket gateway = new Socket(InetAddress.getLoopbackAddress(), target)) {
      sockets.add(gateway);
      client.setTcpNoDelay(true);
      gateway.setTcpNoDelay(true);
      int first = client.getInputStream().read();
      if (first == 'G') {
        webSockets.put(client, gateway);
        if (!open) {
          client.getOutputStream().write(REFUSAL);
          return;
        }
      }
      gateway.getOutputStream().write(first);
      start(() -> copy(gateway, client));
      copy(client, gateway);
    } catch (IOException over) {
      // Both ends hear of it.
    } finally {
      webSockets.remove(client);
      sockets.remove(client);
    }
  }

  private static void copy(Socket from, Socket to) {
    try (to;
        InputStream in = from.getInputStream()) {
      in.transferTo(to.getOutputStream());
    } catch (IOException over) {
      // Both ends hear of it.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
