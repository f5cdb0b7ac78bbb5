package io.rmigate.gateway.relay;

import java.time.Duration;

/**
 * Where a connection is to go.
 *
 * @param host name as the stub has it; resolved here and nowhere else
 * @param port 1 to 65535
 * @param addresses which of the resolved addresses may be connected to
 * @param connectTimeout for each address
 * @param handshakeTimeout until the ProtocolAck has come
 */
public record Target(
    String host,
    int port,
    AddressRule addresses,
    Duration connectTimeout,
    Duration handshakeTimeout) {

  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
