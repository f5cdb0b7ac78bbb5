package io.rmigate.protocol;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/**
 * The owner of an address, where resources are shared among peers. For IPv4 each address is an
 * owner. For IPv6 a network of 64 bits is one, because a host can take any number of addresses
 * there (RFC 4291, section 2.5.1; RFC 8981).
 *
 * @param network the address, or the first one of the network
 */
public record AddressOwner(InetAddress network) {
  private static final int NETWORK_BYTES = 8;

  /** The owner of an address. */
  public static AddressOwner of(InetAddress peer) {
    if (!(peer instanceof Inet6Address)) {
      return new AddressOwner(peer);
    }
    byte[] address = peer.getAddress();
    Arrays.fill(address, NETWORK_BYTES, address.length, (byte) 0);
    try {
      return new AddressOwner(InetAddress.getByAddress(address));
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
  }

  @Override
  public String toString() {
    String address = network.getHostAddress();
    return network instanceof Inet6Address ? address + "/" + 8 * NETWORK_BYTES : address;
  }
}
