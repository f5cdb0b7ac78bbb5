package io.rmigate.gateway.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.AddressLiteral;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** T38: an address that opens as many connections as it can leaves some for others. */
class PeerSharesTest {
  private static final InetAddress PROXY = address("10.0.0.1");
  private static final InetAddress CLIENT = address("192.0.2.1");

  private final AtomicInteger bound = new AtomicInteger(100);
  private final PeerShares shares = new PeerShares(bound::get, PROXY::equals);
  private final List<SocketChannel> channels = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (SocketChannel channel : channels) {
      channel.close();
    }
  }

  private static InetAddress address(String literal) {
    return AddressLiteral.parse(literal).orElseThrow();
  }

  private SocketChannel channel() throws IOException {
    SocketChannel channel = SocketChannel.open();
    channels.add(channel);
    return channel;
  }

  /** How many an address gets that asks without end. */
  private int most(InetAddress peer) throws IOException {
    int got = 0;
    while (shares.admits(channel(), peer)) {
      got++;
    }
    return got;
  }

  @Test
  void oneAddressHasThreeQuartersAndTheNextOneOfWhatIsLeft() throws IOException {
    assertThat(most(CLIENT)).isEqualTo(75);
    assertThat(most(address("192.0.2.2"))).isEqualTo(19);
    assertThat(shares.admits(channel(), address("192.0.2.3"))).isTrue();
    assertThat(shares.of(CLIENT)).isEqualTo(75);
  }

  @Test
  void aNetworkOfIpv6IsOneAddress() throws IOException {
    assertThat(most(address("2001:db8::1"))).isEqualTo(75);
    assertThat(most(address("2001:db8::2"))).isZero();
    assertThat(most(address("2001:db8:0:1::1"))).isPositive();
  }

  @Test
  void aTrustedProxyHasAllThatThereIs() throws IOException {
    assertThat(most(PROXY)).isEqualTo(100);
    assertThat(most(CLIENT)).isZero();
  }

  @Test
  void whatIsOverMakesRoomOnce() throws IOException {
    SocketChannel first = channel();
    assertThat(shares.admits(first, CLIENT)).isTrue();
    assertThat(most(CLIENT)).isEqualTo(74);

    shares.release(first);
    shares.release(first);
    shares.release(channel());

    assertThat(shares.open()).isEqualTo(74);
    assertThat(most(CLIENT)).isEqualTo(1);
  }

  @Test
  void aBoundThatShrinksEndsNothingAndLetsNobodyIn() throws IOException {
    most(CLIENT);
    bound.set(50);

    assertThat(shares.open()).isEqualTo(75);
    assertThat(shares.admits(channel(), address("192.0.2.2"))).isFalse();
    assertThat(shares.admits(channel(), PROXY)).isFalse();
  }
}
