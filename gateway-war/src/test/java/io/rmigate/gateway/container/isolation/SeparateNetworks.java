package io.rmigate.gateway.container.isolation;

import io.rmigate.gateway.testing.NetworkNamespace;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Client, gateway and server, each in a network of its own:
 *
 * <pre>
 * outside 192.0.2.2 ──── 192.0.2.1 gate 198.51.100.1 ──── 198.51.100.2 inside
 * </pre>
 *
 * The gate passes nothing on, and neither side has a route to the other. (The addresses are those
 * that RFC 5737 keeps for examples.)
 */
final class SeparateNetworks implements AutoCloseable {
  static final String GATE_OUTSIDE = "192.0.2.1";
  static final String GATE_INSIDE = "198.51.100.1";
  static final String SERVER = "198.51.100.2";

  private final Deque<NetworkNamespace> made = new ArrayDeque<>();
  private final NetworkNamespace outside;
  private final NetworkNamespace gate;
  private final NetworkNamespace inside;

  SeparateNetworks() throws IOException {
    try {
      outside = make("outside");
      gate = make("gate");
      inside = make("inside");
      gate.cable(GATE_OUTSIDE + "/30", outside, "192.0.2.2/30");
      gate.cable(GATE_INSIDE + "/30", inside, SERVER + "/30");
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

  NetworkNamespace gate() {
    return gate;
  }

  NetworkNamespace inside() {
    return inside;
  }

  @Override
  public void close() throws IOException {
    while (!made.isEmpty()) {
      made.pop().close();
    }
  }
}
