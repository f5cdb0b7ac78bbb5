package io.rmigate.gateway.edge.post;

import io.rmigate.testing.ServedConnections;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
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

  private final ServedConnections connections = new ServedConnections("upgrade-door");
  private final int target;
  private final Set<Socket> webSockets = ConcurrentHashMap.newKeySet();
  private volatile boolean open;

  /** Before that port of loopback; shut. */
  public UpgradeDoor(int target) throws IOException {
    this.target = target;
    connections.start(this::serve);
  }

  /** Where it listens, on loopback. */
  public int port() {
    return connections.port();
  }

  /** Upgrades from here on. */
  public void open() {
    open = true;
  }

  /** Refuses upgrades from here on, and breaks what has come through. */
  public void shut() throws IOException {
    open = false;
    for (Socket socket : webSockets) {
      socket.close();
    }
  }

  private void serve(Socket client) throws IOException {
    try (Socket gateway = new Socket(InetAddress.getLoopbackAddress(), target)) {
      connections.endAlong(gateway);
      client.setTcpNoDelay(true);
      gateway.setTcpNoDelay(true);
      int first = client.getInputStream().read();
      if (first == 'G') {
        webSockets.add(client);
        if (!open) {
          client.getOutputStream().write(REFUSAL);
          return;
        }
      }
      gateway.getOutputStream().write(first);
      connections.run(() -> copy(gateway, client));
      copy(client, gateway);
    } finally {
      webSockets.remove(client);
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
    connections.close();
  }
}
