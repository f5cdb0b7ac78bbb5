package io.rmigate.gateway.testing;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A client, a border and a server, each in a network of its own; the gateway is the border:
 *
 * <pre>
 * outside 192.0.2.2 ──── 192.0.2.1 border 198.51.100.1 ──── 198.51.100.2 inside
 * </pre>
 *
 * <p>Neither side has a route to the other, and the border passes nothing on, unless it is {@link
 * #routed}. (The addresses are those that RFC 5737 keeps for examples.)
 */
public final class ThreeNetworks implements AutoCloseable {
  public static final String CLIENT = "192.0.2.2";
  public static final String BORDER = "192.0.2.1";
  public static final String BORDER_INSIDE = "198.51.100.1";
  public static final String SERVER = "198.51.100.2";

  private static final String ANOTHER_CLIENT = "203.0.113.2";
  private static final String BORDER_OF_ANOTHER = "203.0.113.1";

  private final Deque<NetworkNamespace> made = new ArrayDeque<>();
  private final NetworkNamespace outside;
  private final NetworkNamespace border;
  private final NetworkNamespace inside;

  private ThreeNetworks() throws IOException {
    try {
      outside = make("outside");
      border = make("border");
      inside = make("inside");
      border.cable(BORDER + "/30", outside, CLIENT + "/30");
      border.cable(BORDER_INSIDE + "/30", inside, SERVER + "/30");
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

  /** The border keeps them apart. */
  public static ThreeNetworks separate() throws IOException {
    return new ThreeNetworks();
  }

  /** The border is a router, too. */
  public static ThreeNetworks routed() throws IOException {
    ThreeNetworks networks = new ThreeNetworks();
    try {
      networks.border.set("net/ipv4/ip_forward", 1);
      networks.outside.route("default", "via", BORDER);
      networks.inside.route("default", "via", BORDER_INSIDE);
      return networks;
    } catch (IOException failed) {
      networks.close();
      throw failed;
    }
  }

  /** The client's. */
  public NetworkNamespace outside() {
    return outside;
  }

  /** Of another client, with nothing but a cable to the border, which it reaches as the first. */
  public NetworkNamespace anotherOutside() throws IOException {
    NetworkNamespace another = make("another");
    border.cable(BORDER_OF_ANOTHER + "/30", another, ANOTHER_CLIENT + "/30");
    another.route(BORDER + "/32", "via", BORDER_OF_ANOTHER);
    return another;
  }

  /** The gateway's. */
  public NetworkNamespace border() {
    return border;
  }

  /** The server's. */
  public NetworkNamespace inside() {
    return inside;
  }

  /** A firewall between client and server; see {@link NetworkNamespace#stop}. */
  public Closeable firewall(String what) throws IOException {
    return border.stop(what, CLIENT, SERVER);
  }

  @Override
  public void close() throws IOException {
    while (!made.isEmpty()) {
      made.pop().close();
    }
  }
}
