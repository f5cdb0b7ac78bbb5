package io.rmigate.gateway.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** THREATS T27: who may connect to listeners. */
class InnerPeersTest {

  @ParameterizedTest
  @CsvSource({
    "10.0.1.2, 10.0.1.2, true",
    "10.0.1.2, 10.0.1.20, false",
    "10.0.1.*, 10.0.1.20, true",
    "10.0.1.*, 10.0.2.20, false",
    "*, 10.0.2.20, true",
    "*, 127.0.0.1, false",
    "127.0.0.1, 127.0.0.1, true",
    "10.0.0.0/8, 10.255.1.1, true",
    "10.0.0.0/8, 11.0.0.1, false",
    "10.0.0.128/25, 10.0.0.129, true",
    "10.0.0.128/25, 10.0.0.127, false",
    "0.0.0.0/0, 192.0.2.1, true",
    "2001:db8::/32, 2001:db8::1, true",
    "2001:db8::/32, 2001:db9::1, false",
    "2001:db8::/32, 10.0.0.1, false",
    "fd00::1, fd00:0:0:0:0:0:0:1, true",
    "[fd00::1], fd00::1, true",
    "fd00::1, fd00::2, false",
  })
  void addressesAndNetworksMatch(String pattern, String peer, boolean admitted) throws Exception {
    assertThat(
            InnerPeers.of(List.of(pattern)).admits(InetAddress.getByName(peer), name -> Set.of()))
        .isEqualTo(admitted);
  }

  @Test
  void nameAdmitsWhatItStandsForNow() throws Exception {
    InnerPeers peers = InnerPeers.of(List.of("rmi.example", "10.9.9.9"));
    InetAddress address = InetAddress.getByName("10.0.0.1");
    assertThat(peers.names()).containsExactly("rmi.example");
    assertThat(peers.admits(address, name -> Set.of())).isFalse();
    assertThat(peers.admits(address, name -> Set.of(address))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "rmi*.example",
        "10.0.0.0/33",
        "rmi.example/8",
        "10.0.0/8",
        "a b",
        "fd00::/129",
        "[fd00::"
      })
  void whatIsNoneIsRefused(String pattern) {
    List<String> patterns = List.of(pattern);
    assertThatThrownBy(() -> InnerPeers.of(patterns)).isInstanceOf(IllegalArgumentException.class);
  }
}
