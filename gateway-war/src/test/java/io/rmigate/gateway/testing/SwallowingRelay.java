package io.rmigate.gateway.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * An HTTP proxy before a gateway of plain HTTP that lets the answer to an upgrade pass, and nothing
 * of what the client sends then, or of what either side sends. POSTs pass.
 */
public final class SwallowingRelay implements AutoCloseable {
  private final RelayedConnections connections;

  private SwallowingRelay(int port, boolean bothWays) throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    connections =
        new RelayedConnections(
            loopback, 0, new InetSocketAddress(loopback, port), "swallowing-relay");
    connections.start(() -> {}, (from, to, forth) -> pump(from, to, forth, bothWays));
  }

  /** To the gateway at that address; what the gateway sends passes. */
  public static SwallowingRelay to(URI gateway) throws IOException {
    return new SwallowingRelay(gateway.getPort(), false);
  }

  /** To the gateway at that address; no frame passes. */
  public static SwallowingRelay bothWays(URI gateway) throws IOException {
    return new SwallowingRelay(gateway.getPort(), true);
  }

  /** The gateway's address by way of this relay. */
  public URI uri(URI gateway) {
    return URI.create("http://127.0.0.1:" + connections.port() + gateway.getPath());
  }

  private void pump(Socket from, Socket to, boolean forth, boolean bothWays) throws IOException {
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      if (forth || bothWays) {
        String head = head(in);
        out.write(head.getBytes(StandardCharsets.ISO_8859_1));
        if (head.startsWith(forth ? "GET " : "HTTP/1.1 101 ")) {
          in.transferTo(OutputStream.nullOutputStream());
          return;
        }
      }
      in.transferTo(out);
    } finally {
      connections.end(from);
      connections.end(to);
    }
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    for (int next = in.read(); next >= 0; next = in.read()) {
      head.append((char) next);
      if (next == '\n' && head.indexOf("\r\n\r\n") >= 0) {
        break;
      }
    }
    return head.toString();
  }

  @Override
  public void close() throws IOException {
    connections.close();
  }
}
