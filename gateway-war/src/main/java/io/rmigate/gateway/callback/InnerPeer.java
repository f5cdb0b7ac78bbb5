package io.rmigate.gateway.callback;

import io.rmigate.protocol.AddressOwner;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * The other end of an inner connection.
 *
 * @param address where the connection comes from
 * @param told as the agent's JVM is told
 * @param host whose connection it is: that of another agent's JVM is its own
 */
record InnerPeer(InetSocketAddress address, InetAddress told, InetAddress host) {

  /** The owner of shares by host. */
  AddressOwner sharer() {
    return AddressOwner.of(host);
  }

  int port() {
    return address.getPort();
  }

  @Override
  public String toString() {
    return address.toString();
  }
}
