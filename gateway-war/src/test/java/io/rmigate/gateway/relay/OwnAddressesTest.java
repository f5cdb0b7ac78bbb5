package io.rmigate.gateway.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.InnerAddress;
import java.net.InetAddress;
import java.net.SocketException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who is on this machine. */
class OwnAddressesTest {

  @Test
  void whileTheInterfacesCannotBeAskedEveryAddressIsTakenForOnesOwn() throws Exception {
    InetAddress other = InetAddress.getByName("192.0.2.1");
    assertThat(OwnAddresses.has(other)).isFalse();
    assertThat(OwnAddresses.has(other, address -> Optional.empty())).isFalse();
    assertThat(
            OwnAddresses.has(
                other,
                address -> {
                  throw new SocketException("Too many open files");
                }))
        .isTrue();
  }

  @Test
  void anIpv4AddressOfThisMachineIsItsOwnInTheNotationOfIpv6() throws Exception {
    for (InetAddress own :
        new InetAddress[] {InetAddress.getByName("127.1.2.3"), InnerAddress.find()}) {
      assertThat(OwnAddresses.has(Ipv4Mapped.of(own))).as(own.toString()).isTrue();
    }
    assertThat(OwnAddresses.has(Ipv4Mapped.of(InetAddress.getByName("192.0.2.1")))).isFalse();
  }
}
