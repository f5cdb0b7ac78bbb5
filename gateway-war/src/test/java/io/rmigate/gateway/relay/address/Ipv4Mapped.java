package io.rmigate.gateway.relay.address;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Addresses as the JDK makes them of an AAAA record that says {@code ::ffff:1.2.3.4}. */
public final class Ipv4Mapped {

  /** The address in the notation of IPv6, which Java takes for an address of IPv6. */
  public static InetAddress of(InetAddress address) throws UnknownHostException {
    if (!(address instanceof Inet4Address)) {
      throw new IllegalArgumentException(address + " is none of IPv4");
    }
    byte[] six = new byte[16];
    six[10] = (byte) 0xff;
    six[11] = (byte) 0xff;
    System.arraycopy(address.getAddress(), 0, six, 12, 4);
    return Inet6Address.getByAddress(null, six, -1); // of InetAddress it would be one of IPv4
  }

  private Ipv4Mapped() {}
}
