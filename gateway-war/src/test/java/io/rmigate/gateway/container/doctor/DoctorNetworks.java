package io.rmigate.gateway.container.doctor;

import io.rmigate.gateway.testing.NetworkNamespace;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A client, a border and a server, each in a network of its own. The border is a router, and the
 * gateway's machine:
 *
 * <pre>
 * outside 192.0.2.2 ──── 192.0.2.1 border 198.51.100.1 ──── 198.51.100.2 inside
 * </pre>
 *
 * (The addresses are those that RFC 5737 keeps for examples.)
 */
final class DoctorNetworks implements AutoCloseable {
  static final String CLIENT = "192.0.2.2";
  static final String BORDER = "192.0.2.1";
  static final String BORDER_INSIDE = "198.51.100.1";
  static final String SERVER = "198.51.100.2";

  private final Deque<NetworkNamespace> made = new ArrayDeque<>();
  private final NetworkNamespace outside;
  private final NetworkNamespace border;
  private final NetworkNamespace inside;

  DoctorNetworks() throws IOException {
    try {
      outside = make("client");
      border = make("border");
      inside = make("server");
      border.cable(BORDER + "/30", outside, CLIENT + "/30");
      border.cable(BORDER_INSIDE + "/30", inside, SERVER + "/30");
      border.set("net/ipv4/ip_forward", 1);
      outside.route("default", "via", BORDER);
      inside.route("default", "via", BORDER_INSIDE);
    } catch (IOException failed) {
      close();
      throw failed;
    }
  }

  private NetworkNamespace make(String role) throws IOException {
    NetworkNamespace namespace = NetworkNamespace.create(role);
    made.push(namespace);
    return namespace;
  }

  NetworkNamespace outside() {
    return outside;
  }

  NetworkNamespace border() {
    return border;
  }

  NetworkNamespace inside() {
    return inside;
  }

  /** A firewall between client and server; see {@link NetworkNamespace#stop}. */
  Closeable firewall(String what) throws IOException {
    return border.stop(what, CLIENT, SERVER);
  }

  @Override
  public void close() throws IOException {
    while (!made.isEmpty()) {
      made.pop().close();
    }
  }
}
