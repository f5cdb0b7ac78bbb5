package io.rmigate.perf.gatling;

import io.rmigate.perf.ways.Way;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Optional;
import java.util.Set;

/**
 * The network of a client.
 *
 * @param serverAddress what the server's name means there
 * @param gatewayAddress what the gateway's name means there
 * @param gatewayPort at that address
 * @param proxyPort of an HTTP proxy on this machine
 * @param login at that proxy
 * @param proxied the ways that have to use it
 */
record ClientNetwork(
    String serverAddress,
    String gatewayAddress,
    int gatewayPort,
    Optional<Integer> proxyPort,
    Optional<String> login,
    Set<Way> proxied) {
  /** The address of the server's and the gateway's own listeners. */
  static final String INSIDE = "127.0.0.1";

  /** An address at which only boxes listen. */
  static final String EDGE = "127.0.0.2";

  /** A port at one of the two. */
  @SuppressWarnings("AddressSelection") // it is a number, and has no other
  static InetSocketAddress at(String address, int port) {
    return new InetSocketAddress(address, port);
  }

  /** The HTTP proxy of a way, with its user if there is a login. */
  Optional<URI> proxy(Way way) {
    return proxied.contains(way)
        ? proxyPort.map(
            port ->
                URI.create(
                    "http://"
                        + login.map(text -> user(text) + "@").orElse("")
                        + "localhost:"
                        + port))
        : Optional.empty();
  }

  private static String user(String login) {
    return login.substring(0, login.indexOf(':'));
  }

  /** The password of the login. */
  Optional<String> password() {
    return login.map(text -> text.substring(text.indexOf(':') + 1));
  }
}
