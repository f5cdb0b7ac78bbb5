package io.rmigate.gateway.container.cuts;

import io.rmigate.gateway.testing.NetworkNamespace;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A client with two networks and a VPN, a router that translates its addresses, and the place of
 * the gateway and the server behind it:
 *
 * <pre>
 *         ┌ 192.0.2.2 … 6 ─── 192.0.2.1 ┐
 * client  ├ 203.0.113.2 ──── 203.0.113.1 router 198.51.100.2 ──── 198.51.100.1 home
 *         └ 192.0.2.130 ──── 192.0.2.129 ┘
 * </pre>
 *
 * <p>The router drops, without a word, what comes with an address of another network, and what
 * belongs to a connection that it has forgotten.
 */
final class MovingNetwork implements AutoCloseable {
  /** Where the gateway listens, and the server. */
  static final String HOME = "198.51.100.1";

  private static final String ROUTER_A = "192.0.2.1";
  private static final String ROUTER_B = "203.0.113.1";
  private static final String ROUTER_VPN = "192.0.2.129";

  private final Deque<NetworkNamespace> made = new ArrayDeque<>();
  private final NetworkNamespace client;
  private final NetworkNamespace router;
  private final NetworkNamespace home;
  private final String homeAtRouter;
  private final String a;
  private final String b;
  private final String vpn;
  private int address = 2;
  private int generation;

  private MovingNetwork() throws IOException {
    try {
      client = make("moving");
      router = make("router");
      home = make("home");
      for (String each : new String[] {"all", "default"}) {
        router.set("net/ipv4/conf/" + each + "/rp_filter", 0);
        client.set("net/ipv4/conf/" + each + "/rp_filter", 0);
      }
      router.set("net/ipv4/ip_forward", 1);
      homeAtRouter = router.cable("198.51.100.2/30", home, HOME + "/30");
      a = client.cable(addressInA() + "/29", router, ROUTER_A + "/29");
      b = client.cable("203.0.113.2/30", router, ROUTER_B + "/30");
      vpn = client.cable("192.0.2.130/30", router, ROUTER_VPN + "/30");
      client.change("link", "set", vpn, "down");
      routeBy(ROUTER_A);
      forgetConnections();
    } catch (IOException failed) {
      close();
      throw failed;
    }
  }

  static MovingNetwork create() throws IOException {
    return new MovingNetwork();
  }

  private NetworkNamespace make(String role) throws IOException {
    NetworkNamespace namespace = NetworkNamespace.create(role);
    made.push(namespace);
    return namespace;
  }

  /** Of the clients. */
  NetworkNamespace client() {
    return client;
  }

  /** Of the gateway and the server. */
  NetworkNamespace home() {
    return home;
  }

  private String addressInA() {
    return "192.0.2." + address;
  }

  private void routeBy(String gateway) throws IOException {
    client.change("route", "replace", "default", "via", gateway, "metric", "100");
  }

  /** The other network is used; this one and its address stay. */
  void routeByTheOtherNetwork() throws IOException {
    routeBy(ROUTER_B);
  }

  /** The first network is used. */
  void routeByTheFirstNetwork() throws IOException {
    routeBy(ROUTER_A);
  }

  /** Another address in the same network. */
  void changeAddress() throws IOException {
    client.change("address", "delete", addressInA() + "/29", "dev", a);
    address = address == 6 ? 2 : address + 1;
    client.change("address", "add", addressInA() + "/29", "dev", a);
    routeBy(ROUTER_A);
  }

  /** The cable is pulled. */
  void pull() throws IOException {
    client.change("link", "set", a, "down");
  }

  /** The cable is plugged in again. */
  void plugIn() throws IOException {
    client.change("link", "set", a, "up");
    routeBy(ROUTER_A);
  }

  /** All that goes out goes through the VPN. */
  void beginVpn() throws IOException {
    client.change("link", "set", vpn, "up");
    client.change("route", "add", "default", "via", ROUTER_VPN, "metric", "10");
  }

  /** The VPN ends, and its route with it. */
  void endVpn() throws IOException {
    client.change("link", "set", vpn, "down");
  }

  /** The router has lost its table: of connections there are, nothing passes any more. */
  void forgetConnections() throws IOException {
    generation++;
    router.filter(
        """
        table ip moves
        delete table ip moves
        table ip moves {
          chain out {
            type nat hook postrouting priority 100;
            oifname "%1$s" masquerade
          }
          chain pass {
            type filter hook forward priority 0;
            ip saddr 192.0.2.0/29 ip daddr %2$s iifname != "%3$s" drop
            ip saddr 203.0.113.0/30 ip daddr %2$s iifname != "%4$s" drop
            ip saddr 192.0.2.128/30 ip daddr %2$s iifname != "%5$s" drop
            ct state new ct mark set %6$d
            ct mark < %6$d drop
          }
        }
        """
            .formatted(homeAtRouter, HOME, far(a), far(b), far(vpn), generation));
  }

  private static String far(String device) {
    return device.substring(0, device.length() - 1) + "b";
  }

  @Override
  public void close() throws IOException {
    while (!made.isEmpty()) {
      made.pop().close();
    }
  }
}
