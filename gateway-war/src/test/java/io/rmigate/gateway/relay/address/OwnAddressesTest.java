package io.rmigate.gateway.relay.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rmigate.gateway.testing.InnerAddress;
import io.rmigate.gateway.testing.NetworkNamespace;
import java.net.InetAddress;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who is on this machine. */
class OwnAddressesTest {

  @Test
  void whileTheInterfacesCannotBeAskedEveryAddressIsTakenForOnesOwn() throws Exception {
    InetAddress other = InetAddress.getByName("192.0.2.1");
    assertThat(OwnAddresses.has(other)).isFalse();
    assertThat(OwnAddresses.has(other, address -> false)).isFalse();
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

  @ParameterizedTest
  @CsvSource({
    "10.9.0.1, 16, 10.9.5.5, true",
    "10.9.0.1, 16, 10.8.255.255, false",
    "10.9.0.1, 32, 10.9.0.1, true",
    "10.9.0.1, 32, 10.9.0.2, false",
    "10.9.0.1, 17, 10.9.128.1, false",
    "fd00::1, 64, fd00::2:1, true",
    "fd00::1, 64, fd00:0:0:1::1, false",
    "::1, 128, 0.0.0.1, false"
  })
  void aNetworkHasTheAddressesThatBeginAsItDoes(
      String network, int bits, String address, boolean within) throws Exception {
    assertThat(
            OwnAddresses.isWithin(
                InetAddress.getByName(network), bits, InetAddress.getByName(address)))
        .isEqualTo(within);
  }

  /** Says of each address whether it is this machine's. */
  static final class Asked {
    public static void main(String[] addresses) throws Exception {
      for (String address : addresses) {
        System.out.println(address + " " + OwnAddresses.has(InetAddress.getByName(address)));
      }
    }

    private Asked() {}
  }

  @Test
  void eachAddressOfANetworkOnLoopbackIsTheMachinesOwn() throws Exception {
    assertThat(saidWith("10.9.0.1/16", "10.9.0.1", "10.9.5.5", "10.10.0.1"))
        .containsExactly("10.9.0.1 true", "10.9.5.5 true", "10.10.0.1 false");
  }

  /** Everything would be in it. */
  @Test
  void anAddressWithoutANetworkMakesNoOtherTheMachinesOwn() throws Exception {
    assertThat(saidWith("10.9.0.1/0", "10.9.0.1", "192.0.2.1"))
        .containsExactly("10.9.0.1 true", "192.0.2.1 false");
  }

  /** What is said of addresses on a machine that has this one on loopback. */
  private static List<String> saidWith(String address, String... addresses) throws Exception {
    assumeTrue(NetworkNamespace.obstacle().isEmpty(), "network namespaces");
    try (NetworkNamespace machine = NetworkNamespace.create("own")) {
      machine.address(address);
      List<String> command = new ArrayList<>(machine.entrance());
      command.addAll(
          List.of(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-cp",
              System.getProperty("java.class.path"),
              Asked.class.getName()));
      command.addAll(List.of(addresses));
      Process asked = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(asked.waitFor()).as(said).isZero();
      return said.lines().toList();
    }
  }
}
