package io.rmigate.client.socks;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rmigate.testing.NamedThreads;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who is let in when there is room for four. */
class LocalListenerTest {
  private final List<Socket> sockets = new ArrayList<>();
  private LocalListener listener;

  @BeforeEach
  void listen() throws IOException {
    listener =
        new LocalListener(
                InetAddress.getByName("0.0.0.0"),
                0,
                "rmigate-test",
                4,
                connection -> connection.getInputStream().read())
            .start();
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
    NamedThreads.awaitEnd("rmigate-test");
    assertThat(listener.connections()).isZero();
  }

  private Socket connect(InetAddress address) throws IOException {
    Socket socket = new Socket(address, listener.address().getPort());
    sockets.add(socket);
    socket.setSoTimeout((int) PATIENCE.toMillis());
    return socket;
  }

  private void assertTaken(InetAddress address) throws IOException {
    int before = listener.connections();
    connect(address);
    await().until(() -> listener.connections() == before + 1);
  }

  private void assertRefused(InetAddress address) throws IOException {
    assertThat(connect(address).getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void whatIsTooMuchIsClosedUntilAnotherConnectionEnds() throws Exception {
    InetAddress here = InetAddress.getLoopbackAddress();
    for (int i = 0; i < 4; i++) {
      assertTaken(here);
    }
    assertRefused(here);
    sockets.get(0).close();
    await().until(() -> listener.connections() == 3);
    assertTaken(here);
  }

  /** An address of this machine that others could have stands for another machine. */
  @Test
  void anotherMachineGetsHalfAndThisOneTheRest() throws Exception {
    Optional<InetAddress> other =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
            .findFirst();
    assumeTrue(other.isPresent(), "this machine has no address but loopback");
    assertTaken(other.get());
    assertTaken(other.get());
    assertRefused(other.get());
    assertTaken(InetAddress.getLoopbackAddress());
    assertTaken(InetAddress.getLoopbackAddress());
    assertRefused(InetAddress.getLoopbackAddress());
    sockets.get(0).close();
    await().until(() -> listener.connections() == 3);
    assertRefused(other.get());
  }
}
