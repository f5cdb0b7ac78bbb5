package io.rmigate.client.socks;

import io.rmigate.client.jvm.Privileged;
import io.rmigate.protocol.DestinationPatterns;
import io.rmigate.protocol.jrmp.EndpointId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLSocket;

/**
 * Sends the sockets of this JVM that go to the listed destinations to the door, and leaves
 * everything else to the selector that was there before. Thread-safe.
 *
 * <p>Plain sockets ask with {@code socket://host:port}, the host as the program has given it; HTTP
 * and others ask with schemes of their own and are none of our business.
 */
final class DoorProxySelector extends ProxySelector {
  private static final StackWalker STACK =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private final DestinationPatterns destinations;
  private final Privileged.Action<InetSocketAddress> door;
  private final SelectedDestinations selections;
  private final ProxySelector before; // null where there was none

  DoorProxySelector(
      DestinationPatterns destinations,
      Privileged.Action<InetSocketAddress> door,
      SelectedDestinations selections,
      ProxySelector before) {
    this.destinations = destinations;
    this.door = door;
    this.selections = selections;
    this.before = before;
  }

  /** The selector that decides about everything else. */
  ProxySelector before() {
    return before;
  }

  @Override
  public List<Proxy> select(URI uri) {
    Optional<EndpointId> endpoint = uri == null ? Optional.empty() : endpoint(uri);
    if (endpoint.isPresent()
        && destinations.matches(endpoint.get().host(), endpoint.get().port())) {
      InetSocketAddress address;
      try {
        address = Privileged.call(door);
      } catch (IOException cannotListen) { // the socket must not go past the gateway
        throw new UncheckedIOException(cannotListen);
      }
      selections.add(new SelectedDestinations.Selection(endpoint.get(), isTls()));
      return List.of(new Proxy(Proxy.Type.SOCKS, address));
    }
    return before == null ? List.of(Proxy.NO_PROXY) : before.select(uri);
  }

  /** Whether the thread that asks is about to connect a TLS socket. */
  private static boolean isTls() {
    return STACK.walk(
        frames ->
            frames.anyMatch(frame -> SSLSocket.class.isAssignableFrom(frame.getDeclaringClass())));
  }

  @Override
  public void connectFailed(URI uri, SocketAddress address, IOException failure) {
    boolean ours =
        uri != null
            && endpoint(uri).filter(to -> destinations.matches(to.host(), to.port())).isPresent();
    if (before != null && !ours) {
      before.connectFailed(uri, address, failure);
    }
  }

  /** By hand: {@link URI#getHost} is null for names that are used and not allowed, as with _. */
  private static Optional<EndpointId> endpoint(URI uri) {
    String authority = uri.getAuthority();
    int colon = authority == null ? -1 : authority.lastIndexOf(':');
    if (!"socket".equalsIgnoreCase(uri.getScheme()) || colon < 1) {
      return Optional.empty();
    }
    String host = authority.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    try {
      int port = Integer.parseInt(authority.substring(colon + 1));
      return port > 0 && port <= 0xFFFF && !host.isEmpty()
          ? Optional.of(new EndpointId(host, port))
          : Optional.empty();
    } catch (NumberFormatException noPort) {
      return Optional.empty();
    }
  }
}
