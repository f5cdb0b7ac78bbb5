package io.rmigate.gateway.relay.address;

import java.time.Duration;
import java.util.Optional;

/**
 * Where a connection is to go.
 *
 * @param host name as the stub has it; resolved here and nowhere else
 * @param port 1 to 65535
 * @param addresses which of the resolved addresses may be connected to
 * @param connectTimeout for each address
 * @param handshakeTimeout until the ProtocolAck has come
 * @param substitute where to go, at the same port, when the name stands for nothing that may be
 *     connected to
 */
public record Target(
    String host,
    int port,
    AddressRule addresses,
    Duration connectTimeout,
    Duration handshakeTimeout,
    Optional<Substitute> substitute) {

  /** A host that takes the place of another one. */
  public record Substitute(String host, AddressRule addresses) {}

  /** Without a substitute. */
  public Target(
      String host,
      int port,
      AddressRule addresses,
      Duration connectTimeout,
      Duration handshakeTimeout) {
    this(host, port, addresses, connectTimeout, handshakeTimeout, Optional.empty());
  }

  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
