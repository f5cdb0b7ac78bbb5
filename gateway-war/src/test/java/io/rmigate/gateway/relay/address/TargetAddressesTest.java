package io.rmigate.gateway.relay.address;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.LogLines;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is left of what a name server says. */
class TargetAddressesTest {
  private final LocalAddresses local = new LocalAddresses();

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

  @Test
  void thatATargetIsOnThisMachineIsSaidOnceOfEachAddress() throws Exception {
    try (LogLines log = new LogLines(TargetAddresses.class)) {
      for (String answer : List.of("127.0.0.1", "127.0.0.1", "192.0.2.1", "127.0.0.2")) {
        usable(AddressRule.NAMED, InetAddress.getByName(answer));
      }
      assertThat(log.warnings())
          .satisfiesExactly(
              first ->
                  assertThat(first).startsWith("target rmi.example:1099").contains("127.0.0.1:"),
              second -> assertThat(second).contains("127.0.0.2:"));
    }
  }

  @Test
  void whatWasSaidAtTheStartIsNotSaidAgain() throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (LogLines log = new LogLines(TargetAddresses.class)) {
      assertThat(local.tell(loopback)).isTrue();
      usable(AddressRule.NAMED, loopback);
      assertThat(log.warnings()).isEmpty();
    }
  }

  @Test
  void nothingIsSaidOfTheGatewaysOwnListeners() throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    OwnListeners own =
        new OwnListeners() {
          @Override
          public Optional<InetAddress> address(String host, int port) {
            return host.equals("by.address") ? Optional.empty() : Optional.of(loopback);
          }

          @Override
          public boolean isOne(InetAddress address, int port) {
            return true;
          }

          @Override
          public void expect(InetSocketAddress source, Optional<InetAddress> caller) {}

          @Override
          public void forget(InetSocketAddress source) {}
        };
    try (LogLines log = new LogLines(TargetAddresses.class)) {
      for (String host : List.of("rmi.example", "by.address")) {
        assertThat(
                TargetAddresses.of(
                    target(host, AddressRule.NAMED),
                    own,
                    name -> new InetAddress[] {loopback},
                    local))
            .hasValue(List.of(loopback));
      }
      assertThat(log.warnings()).isEmpty();
    }
  }

  private static Target target(String host, AddressRule rule) {
    return new Target(host, 1099, rule, Duration.ofSeconds(1), Duration.ofSeconds(1));
  }

  private List<InetAddress> usable(AddressRule rule, InetAddress answer)
      throws UnknownHostException {
    return TargetAddresses.of(
            target("rmi.example", rule),
            OwnListeners.NONE,
            host -> new InetAddress[] {answer},
            local)
        .orElseThrow(UnknownHostException::new);
  }
}
