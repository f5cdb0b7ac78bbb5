package io.rmigate.gateway.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * An HTTP proxy before a gateway of plain HTTP that drops one header: from each request, or from
 * each answer. After the first head of a connection it passes bytes on.
 */
public final class HeaderDroppingRelay implements AutoCloseable {
  /** The direction in which the header is dropped. */
  public enum From {
    REQUESTS,
    ANSWERS
  }

  private final RelayedConnections connections;
  private final String header;

  private HeaderDroppingRelay(int port, String header, From from) throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    this.header = header.toLowerCase(Locale.ROOT) + ":";
    connections =
        new RelayedConnections(
            loopback, 0, new InetSocketAddress(loopback, port), "header-dropping-relay");
    connections.start(
        () -> {}, (in, out, forth) -> pump(in, out, forth == (from == From.REQUESTS)));
  }

  /** To the gateway at that address. */
  public static HeaderDroppingRelay to(URI gateway, String header, From from) throws IOException {
    return new HeaderDroppingRelay(gateway.getPort(), header, from);
  }

  /** The gateway's address by way of this relay. */
  public URI uri(URI gateway) {
    return URI.create("http://127.0.0.1:" + connections.port() + gateway.getPath());
  }

  private void pump(Socket from, Socket to, boolean drops) throws IOException {
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      if (drops) {
        out.write(withoutHeader(in).getBytes(StandardCharsets.ISO_8859_1));
      }
      in.transferTo(out);
    } finally {
      connections.end(from);
      connections.end(to);
    }
  }

  private String withoutHeader(InputStream in) throws IOException {
    StringBuilder kept = new StringBuilder();
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next >= 0; next = in.read()) {
      line.append((char) next);
      if (next == '\n') {
        if (!line.toString().toLowerCase(Locale.ROOT).startsWith(header)) {
          kept.append(line);
        }
        if (line.length() == 2) {
          return kept.toString();
        }
        line.setLength(0);
      }
    }
    return kept.append(line).toString();
  }

  @Override
  public void close() throws IOException {
    connections.close();
  }
}
