package io.rmigate.gateway.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is left of what a name server says. */
class TargetAddressesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"127.0.0.1", "169.254.169.254", "100.100.100.200", "0.0.0.0", "224.0.0.1"})
  void whatNobodyMayReachIsNotReachedInTheNotationOfIpv6(String address) throws Exception {
    InetAddress mapped = Ipv4Mapped.of(InetAddress.getByName(address));
    assertThat(mapped).isInstanceOf(Inet6Address.class);
    assertThat(usable(AddressRule.ROUTABLE, mapped)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"169.254.169.254", "100.100.100.200", "0.0.0.0", "224.0.0.1"})
  void norByAListedName(String address) throws Exception {
    InetAddress mapped = Ipv4Mapped.of(InetAddress.getByName(address));
    assertThat(usable(AddressRule.NAMED, mapped)).isEmpty();
  }

  @Test
  void othersAreConnectedToAsTheAddressesOfIpv4ThatTheyAre() throws Exception {
    InetAddress four = InetAddress.getByName("192.0.2.1");
    assertThat(usable(AddressRule.ROUTABLE, Ipv4Mapped.of(four))).containsExactly(four);
  }

  @Test
  void anAddressOfIpv6KeepsItsZone() throws Exception {
    byte[] bytes = InetAddress.getByName("fd00::1").getAddress();
    Inet6Address zoned = Inet6Address.getByAddress("rmi.example", bytes, 7);
    assertThat(usable(AddressRule.ROUTABLE, zoned)).singleElement().isSameAs(zoned);
  }

  private static List<InetAddress> usable(AddressRule rule, InetAddress answer)
      throws UnknownHostException {
    Target target =
        new Target("rmi.example", 1099, rule, Duration.ofSeconds(1), Duration.ofSeconds(1));
    return TargetAddresses.of(target, OwnListeners.NONE, host -> new InetAddress[] {answer})
        .orElseThrow(UnknownHostException::new);
  }
}
