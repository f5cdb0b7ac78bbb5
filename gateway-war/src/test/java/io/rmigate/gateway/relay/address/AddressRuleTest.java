package io.rmigate.gateway.relay.address;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.InnerAddress;
import java.net.InetAddress;
import java.util.HexFormat;
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0177.0.0.1",
        "0300.0250.0.1",
        "3221225985",
        "192.0.513",
        "0xc0.0.2.1",
        "10.010.0.1."
      })
  void aNumberThatOneReaderTakesForAnotherAddressThanTheNextMustBeListed(String host)
      throws Exception {
    InetAddress resolved = InetAddress.getByName("192.0.2.1");
    assertThat(AddressRule.ROUTABLE.allows(host, resolved)).isFalse();
    assertThat(AddressRule.NAMED.allows(host, resolved)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"192.0.2.1.", "rmi.1", "1.example", "0x1g", "3com", "fd00::1"})
  void whatHasNumbersInItIsNoSuchNumber(String host) throws Exception {
    assertThat(AddressRule.ROUTABLE.allows(host, InetAddress.getByName("192.0.2.1"))).isTrue();
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
    for (String address :
        List.of(own.getHostAddress(), "64:ff9b::" + own.getHostAddress(), sixToFour(own))) {
      InetAddress resolved = InetAddress.getByName(address);
      assertThat(AddressRule.ROUTABLE.allows(address, resolved)).as(address).isFalse();
      assertThat(AddressRule.NAMED.allows(address, resolved)).as(address).isTrue();
    }
  }

  private static String sixToFour(InetAddress four) {
    String hex = HexFormat.of().formatHex(four.getAddress());
    return "2002:" + hex.substring(0, 4) + ":" + hex.substring(4) + "::1";
  }

  // IPv4 addresses inside IPv6 addresses.

  /** RFC 6052, 2.1 and 2.2 (RFC 8215: each length), RFC 3056, RFC 4380, RFC 5214, RFC 2765. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "64:ff9b::169.254.169.254",
        "64:ff9b::100.100.100.200",
        "64:ff9b:1:a9fe:a9:fe00::", // 48 bits
        "64:ff9b:1:a9:fe:a9fe::", // 56
        "64:ff9b:1:0:a9:fea9:fe00:0", // 64
        "64:ff9b:1::169.254.169.254", // 96
        "64:ff9b:1:fffe::169.254.169.254",
        "2002:a9fe:a9fe::1",
        "2002:a83f:8110::1",
        "2001:0:a9fe:a9fe::", // a server
        "2001:0:c000:201::5601:5601", // a client
        "2001:db8::5efe:169.254.169.254",
        "2001:db8::200:5efe:169.254.169.254",
        "::ffff:0:169.254.169.254"
      })
  void noNameStandsForAnAddressWithOneOfTheseInside(String address) throws Exception {
    InetAddress resolved = InetAddress.getByName(address);
    assertThat(AddressRule.ROUTABLE.allows(address, resolved)).isFalse();
    assertThat(AddressRule.NAMED.allows("rmi.example", resolved)).isFalse();
    assertThat(AddressRule.NAMED.allows(address, resolved)).isTrue();
    assertThat(AddressRule.mayBeRoutable(address)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "64:ff9b::127.0.0.1",
        "64:ff9b:1:7f00:0:100::",
        "64:ff9b:1::127.0.0.1",
        "2002:7f00:1::1",
        "2001:0:c000:201::80ff:fffe",
        "2001:db8::5efe:127.0.0.1",
        "::ffff:0:127.0.0.1"
      })
  void loopbackInsideAnAddressMustBeNamed(String address) throws Exception {
    InetAddress resolved = InetAddress.getByName(address);
    assertThat(AddressRule.ROUTABLE.allows(address, resolved)).isFalse();
    assertThat(AddressRule.NAMED.allows("rmi.example", resolved)).isTrue();
    assertThat(AddressRule.mayBeRoutable(address)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "64:ff9b::0.0.0.0",
        "64:ff9b::224.0.0.1",
        "64:ff9b:1::",
        "64:ff9b:1::224.0.0.1",
        "2002::1",
        "2002:e000:1::1",
        "2001:0:c000:201::ffff:ffff",
        "2001:db8::5efe:239.1.2.3",
        "::224.0.0.1"
      })
  void theUnspecifiedAddressAndMulticastAreNotReachedInsideOthers(String address) throws Exception {
    theUnspecifiedAddressAndMulticastAreNeverReached(address);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "64:ff9b::10.1.2.3",
        "64:ff9b:1:a01:2:300::",
        "64:ff9b:1:a:1:203::",
        "64:ff9b:1:0:a:102:300:0",
        "64:ff9b:1::10.1.2.3",
        "64:ff9b:1:ae6:1:200::", // 10.230.1.2 by 48 bits; by 56 it would be multicast
        "64:ff9b:1:a00:e0:500::", // 10.0.224.5
        "64:ff9b:1:e000::10.1.2.3",
        "2002:a01:203::1",
        "2001:0:c000:201::f5fe:fdfc",
        "2001:db8::5efe:10.1.2.3"
      })
  void othersAreReachedInsideAddresses(String address) throws Exception {
    othersAreReached(address);
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
