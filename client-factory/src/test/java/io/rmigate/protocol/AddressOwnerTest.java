package io.rmigate.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

/** The owner of many addresses counts once. */
class AddressOwnerTest {

  private static AddressOwner of(String address) throws UnknownHostException {
    return AddressOwner.of(InetAddress.getByName(address));
  }

  @Test
  void addressesOfAnIpv6NetworkAreOneHost() throws Exception {
    assertThat(of("2001:db8:0:1::1"))
        .isEqualTo(of("2001:db8:0:1:ffff:ffff:ffff:ffff"))
        .isEqualTo(of("2001:db8:0:1::"))
        .hasToString("2001:db8:0:1:0:0:0:0/64");
    assertThat(of("2001:db8:0:1::1")).isNotEqualTo(of("2001:db8:0:2::1"));
    assertThat(of("::1")).isNotEqualTo(of("fe80::1"));
  }

  @Test
  void addressesOfIpv4AreAHostEach() throws Exception {
    assertThat(of("10.0.0.1")).isNotEqualTo(of("10.0.0.2")).hasToString("10.0.0.1");
    assertThat(of("::ffff:10.0.0.1")).isEqualTo(of("10.0.0.1")); // which is that address
  }
}
