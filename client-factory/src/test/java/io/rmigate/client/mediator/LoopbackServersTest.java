package io.rmigate.client.mediator;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.LiveReference;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

/** Which loopback endpoints mean servers behind the gateway. */
class LoopbackServersTest {
  private final LoopbackServers loopback = new LoopbackServers();

  @Test
  void whatAStubNamesIsInside() {
    learn("127.0.1.1", 4000);
    assertThat(loopback.isInside("127.0.1.1", 4000)).isTrue();
    assertThat(loopback.isInside("127.0.1.1", 4001)).isFalse();
    assertThat(loopback.isInside("localhost", 4000)).isFalse();
  }

  @Test
  void otherHostsAreNoAffairOfIt() {
    learn("inside.example", 4000);
    assertThat(loopback.isInside("inside.example", 4000)).isFalse();
  }

  @Test
  void whatHasBeenReachedDirectlyStaysDirect() {
    loopback.reachedDirectly("LOCALHOST", 1099);
    learn("localhost", 1099);
    assertThat(loopback.isInside("localhost", 1099)).isFalse();
  }

  @Test
  void portsAtWhichThisJvmListensStayDirectAsLongAsItDoes() throws Exception {
    ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    int port = listening.getLocalPort();
    learn("127.0.1.1", port); // before it is known that we listen there
    loopback.listens(listening);
    assertThat(loopback.isInside("127.0.1.1", port)).isFalse();
    listening.close();
    assertThat(loopback.isInside("127.0.1.1", port)).isTrue();
  }

  @Test
  void itIsBounded() {
    for (int port = 1; port <= 2000; port++) {
      learn("127.0.1.1", port);
    }
    assertThat(loopback.isInside("127.0.1.1", 1)).isFalse();
    assertThat(loopback.isInside("127.0.1.1", 2000)).isTrue();
  }

  private void learn(String host, int port) {
    loopback.learn(
        new LiveReference(
            host,
            port,
            new ObjIdentifier(1, 2, 3, (short) 4),
            LiveReference.UNICAST_REF,
            false,
            true));
  }
}
