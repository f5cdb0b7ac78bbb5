package io.rmigate.gateway.boxes;

import io.rmigate.gateway.testing.NetworkNamespace;
import java.io.IOException;
import java.util.Optional;

/**
 * A firewall between a client's network and that of the servers, or another reason why there is no
 * way to them. Where there is none, clients reach the servers as well as the gateway.
 */
enum Wall {
  NONE("none", Rung.DIRECT) {
    @Override
    void build(NetworkNamespace outside, NetworkNamespace inside, String client) {
      // Everything goes.
    }
  },
  RESETS("rejects with a reset what is not for port 443", Rung.WEBSOCKET) {
    @Override
    void build(NetworkNamespace outside, NetworkNamespace inside, String client)
        throws IOException {
      letThrough443(inside, client, "reject with tcp reset");
    }
  },
  PROHIBITS("rejects by ICMP what is not for port 443", Rung.WEBSOCKET) {
    @Override
    void build(NetworkNamespace outside, NetworkNamespace inside, String client)
        throws IOException {
      letThrough443(inside, client, "reject with icmp type admin-prohibited");
    }
  },
  DROPS("drops what is not for port 443", Rung.WEBSOCKET) {
    @Override
    void build(NetworkNamespace outside, NetworkNamespace inside, String client)
        throws IOException {
      letThrough443(inside, client, "drop");
    }
  },
  NO_ROUTE("no route to the servers", Rung.WEBSOCKET) {
    @Override
    void build(NetworkNamespace outside, NetworkNamespace inside, String client)
        throws IOException {
      outside.route("unreachable", WalledBed.SERVER);
    }
  },
  FORGETS("drops, and forgets connections that are idle for 10 s", Rung.WEBSOCKET) {
    @Override
    void build(NetworkNamespace outside, NetworkNamespace inside, String client)
        throws IOException {
      outside.filter(
          """
          table inet wall {
            chain out {
              type filter hook output priority 0; policy drop;
              oif lo accept
              ct state established accept
              ct state new tcp dport 443 accept
            }
            chain in {
              type filter hook input priority 0; policy drop;
              iif lo accept
              ct state established accept
            }
          }
          """);
      outside.set(
          "net/netfilter/nf_conntrack_tcp_timeout_established", (int) BoxMatrix.CUT.toSeconds());
      outside.set("net/netfilter/nf_conntrack_tcp_loose", 0);
    }
  },
  ONLY_PROXY("drops what is not for the HTTP proxy, which lets port 443 through", Rung.WEBSOCKET) {
    @Override
    void build(NetworkNamespace outside, NetworkNamespace inside, String client)
        throws IOException {
      letThrough(inside, client, WalledBed.STRICT_PROXY_PORT, "drop");
    }
  },
  ONLY_OPEN_PROXY(
      "drops what is not for the HTTP proxy, which lets every port through", Rung.CONNECT) {
    @Override
    void build(NetworkNamespace outside, NetworkNamespace inside, String client)
        throws IOException {
      letThrough(inside, client, WalledBed.OPEN_PROXY_PORT, "drop");
    }
  };

  private final String title;
  private final Rung rung;

  Wall(String title, Rung rung) {
    this.title = title;
    this.rung = rung;
  }

  /** On which rung clients should end. */
  Rung rung() {
    return rung;
  }

  /** Whether clients call by a gateway whose heartbeats do not keep connections from being cut. */
  boolean beatsRarely() {
    return this == FORGETS;
  }

  /** The port of the HTTP proxy that clients are told of; 0: they are told of none. */
  int proxyPort() {
    return switch (this) {
      case ONLY_PROXY -> WalledBed.STRICT_PROXY_PORT;
      case ONLY_OPEN_PROXY -> WalledBed.OPEN_PROXY_PORT;
      default -> 0;
    };
  }

  /** What it needs and others do not, and is not on this machine; empty when all is. */
  Optional<Installed> missing() {
    return proxyPort() == 0 ? Optional.empty() : new TinyproxyBox().missing();
  }

  /**
   * Builds it.
   *
   * @param outside the client's network
   * @param inside that of the servers
   * @param client its address
   */
  abstract void build(NetworkNamespace outside, NetworkNamespace inside, String client)
      throws IOException;

  private static void letThrough443(NetworkNamespace inside, String client, String others)
      throws IOException {
    letThrough(inside, client, 443, others);
  }

  /** Each client's rules are in a table of their own. */
  private static void letThrough(NetworkNamespace inside, String client, int port, String others)
      throws IOException {
    inside.filter(
        """
        table inet wall-%s {
          chain in {
            type filter hook input priority 0; policy accept;
            ip saddr %s tcp dport != %d %s
          }
        }
        """
            .formatted(client.replace('.', '-'), client, port, others));
  }

  @Override
  public String toString() {
    return title;
  }
}
