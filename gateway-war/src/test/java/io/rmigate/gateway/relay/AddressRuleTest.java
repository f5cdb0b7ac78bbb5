package io.rmigate.gateway.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.InnerAddress;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which addresses a permitted name may stand for; all given as literals, so nothing is asked. */
class AddressRuleTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.1.2.3",
        "127.255.255.254",
        "::1",
        "::ffff:127.0.0.1",
        "169.254.0.1",
        "169.254.169.254",
        "::ffff:169.254.169.254",
        "fe80::1",
        "febf::1"
      })
  void loopbackAndLinkLocalMustBeNamed(String address) throws Exception {
    InetAddress resolved = InetAddress.getByName(address);
    assertThat(AddressRule.ROUTABLE.allows(address, resolved)).isFalse();
    assertThat(AddressRule.NAMED.allows(address, resolved)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::", "::ffff:0.0.0.0", "224.0.0.1", "239.1.2.3", "ff02::1"})
  void theUnspecifiedAddressAndMulticastAreNeverReached(String address) throws Exception {
    InetAddress resolved = InetAddress.getByName(address);
    assertThat(AddressRule.ROUTABLE.allows(address, resolved)).isFalse();
    assertThat(AddressRule.NAMED.allows(address, resolved)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"::127.0.0.1", "::169.254.169.254", "::10.0.0.1"})
  void theOldSpellingOfAnIpv4AddressInsideIpv6IsNotRoutable(String address) throws Exception {
    assertThat(AddressRule.ROUTABLE.allows(address, InetAddress.getByName(address))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fd00:ec2::254",
        "fd20:ce::254",
        "100.100.100.200",
        "::ffff:100.100.100.200",
        "192.0.0.192",
        "168.63.129.16"
      })
  void whereCloudsTellSecretsMustBeNamed(String address) throws Exception {
    InetAddress resolved = InetAddress.getByName(address);
    assertThat(AddressRule.ROUTABLE.allows(address, resolved)).isFalse();
    assertThat(AddressRule.NAMED.allows(address, resolved)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "169.254.0.1",
        "169.254.169.254",
        "::ffff:169.254.169.254",
        "::169.254.169.254",
        "::100.100.100.200",
        "fe80::1",
        "febf::1",
        "fd00:ec2::254",
        "fd20:ce::254",
        "100.100.100.200",
        "192.0.0.192",
        "168.63.129.16"
      })
  void noNameStandsForLinkLocalNorForWhereCloudsTellSecrets(String address) throws Exception {
    InetAddress resolved = InetAddress.getByName(address);
    for (String name : List.of("rmi.example", "localhost", "2852039166", "169.254.169.254.")) {
      assertThat(AddressRule.NAMED.allows(name, resolved)).as(name).isFalse();
      assertThat(AddressRule.ROUTABLE.allows(name, resolved)).as(name).isFalse();
    }
  }

  @Test
  void anAddressIsListedWithItsZoneOrWithout() throws Exception {
    InetAddress resolved = InetAddress.getByName("fe80::1");
    assertThat(AddressRule.NAMED.allows("fe80::1%eth0", resolved)).isTrue();
    assertThat(AddressRule.NAMED.allows("fe80::1", resolved)).isTrue();
    assertThat(AddressRule.NAMED.allows("rmi%eth0", resolved)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.1.2.3", "::1", "10.1.2.3", "fd00::1", "2001:db8::1"})
  void aNameThatIsListedMayStandForThisMachine(String address) throws Exception {
    assertThat(AddressRule.NAMED.allows("rmi.example", InetAddress.getByName(address))).isTrue();
  }

  @Test
  void theGatewaysOwnAddressesMustBeNamed() throws Exception {
    InetAddress own = InnerAddress.find();
    assertThat(AddressRule.ROUTABLE.allows(own.getHostAddress(), own)).isFalse();
    assertThat(AddressRule.NAMED.allows(own.getHostAddress(), own)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"10.1.2.3", "172.16.0.1", "192.168.1.1", "192.0.2.1", "2001:db8::1", "fd00::1"})
  void othersAreReached(String address) throws Exception {
    InetAddress resolved = InetAddress.getByName(address);
    assertThat(AddressRule.ROUTABLE.allows(address, resolved)).isTrue();
    assertThat(AddressRule.NAMED.allows(address, resolved)).isTrue();
  }
}
