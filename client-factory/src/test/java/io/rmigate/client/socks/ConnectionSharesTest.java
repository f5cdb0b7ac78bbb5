package io.rmigate.client.socks;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

/** Who may have how many of twelve. */
class ConnectionSharesTest {
  private final ConnectionShares shares = new ConnectionShares(12);

  private int takeAll(String peer) throws Exception {
    int count = 0;
    while (shares.take(InetAddress.getByName(peer))) {
      count++;
    }
    return count;
  }

  @Test
  void thisMachineMayHaveAll() throws Exception {
    assertThat(takeAll("127.0.0.1")).isEqualTo(12);
    assertThat(takeAll("::1")).isZero();
  }

  @Test
  void anotherMachineLeavesAsManyToOthersAsItHas() throws Exception {
    assertThat(takeAll("192.0.2.1")).isEqualTo(6);
    assertThat(takeAll("192.0.2.2")).isEqualTo(3);
    assertThat(takeAll("192.0.2.3")).isEqualTo(2);
    assertThat(takeAll("127.0.0.1")).isEqualTo(1);
    assertThat(shares.taken()).isEqualTo(12);
  }

  @Test
  void whatIsGivenBackIsForWhoeverHasLess() throws Exception {
    assertThat(takeAll("192.0.2.1")).isEqualTo(6);
    assertThat(takeAll("127.0.0.1")).isEqualTo(6);
    shares.giveBack(InetAddress.getByName("192.0.2.1"));
    assertThat(takeAll("192.0.2.1")).isZero();
    assertThat(takeAll("192.0.2.2")).isEqualTo(1);
  }

  @Test
  void addressesOfOneNetworkOfIpv6AreOneMachine() throws Exception {
    assertThat(takeAll("2001:db8::1")).isEqualTo(6);
    assertThat(takeAll("2001:db8::2")).isZero();
    shares.giveBack(InetAddress.getByName("2001:db8::1"));
    shares.giveBack(InetAddress.getByName("2001:db8::1"));
    assertThat(takeAll("2001:db8::2")).isEqualTo(2);
    assertThat(takeAll("2001:db8:0:1::1")).isEqualTo(3);
  }
}
