package io.rmigate.client.program.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.message.StubView;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against the JDK's registry and objects. */
class RegistryProbeTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  interface Bell extends Remote {
    void ring() throws RemoteException;
  }

  private static final class CountingBell implements Bell {
    private final AtomicInteger rung = new AtomicInteger();

    @Override
    public void ring() {
      rung.incrementAndGet();
    }
  }

  private final CountingBell bell = new CountingBell();
  private final RegistryProbe registry =
      new RegistryProbe((to, timeout) -> new Socket(to.host(), to.port()), PATIENCE);
  private ListeningRegistry server;

  @BeforeEach
  void bind() throws Exception {
    server = ListeningRegistry.start();
    server.bind("bell", UnicastRemoteObject.exportObject(bell, 0));
  }

  @AfterEach
  void unbind() throws Exception {
    UnicastRemoteObject.unexportObject(bell, true);
    server.close();
  }

  @Test
  void namesAreListed() throws Exception {
    assertThat(registry.list(server.endpoint()).value().orElseThrow()).containsExactly("bell");
  }

  @Test
  void stubIsSeenWithoutBeingDeserialized() throws Exception {
    StubView stub = registry.lookup(server.endpoint(), "bell").value().orElseThrow();

    assertThat(stub.interfaces()).containsExactly(Bell.class.getName());
  }

  @Test
  void whatIsNotBoundIsToldByTheRegistrysOwnException() throws Exception {
    assertThat(registry.lookup(server.endpoint(), "gong").thrown().orElseThrow().type())
        .isEqualTo("java.rmi.NotBoundException");
  }

  @Test
  void objectThatIsTouchedAnswersAndIsNotCalled() throws Exception {
    StubView stub = registry.lookup(server.endpoint(), "bell").value().orElseThrow();

    assertThat(registry.touch(stub.reference()).orElseThrow().toString())
        .contains("unrecognized method hash");
    assertThat(bell.rung).hasValue(0);
  }

  @Test
  void objectThatIsGoneIsToldFromOneThatIsThere() throws Exception {
    StubView stub = registry.lookup(server.endpoint(), "bell").value().orElseThrow();
    UnicastRemoteObject.unexportObject(bell, true);
    UnicastRemoteObject.exportObject(bell, stub.reference().port()); // another object now

    assertThat(registry.touch(stub.reference()).orElseThrow().type())
        .isEqualTo("java.rmi.NoSuchObjectException");
  }

  @Test
  void whoSpeaksSomethingElseIsQuoted() throws Exception {
    try (ServerSocket web = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread answering =
          new Thread(
              () -> {
                try (Socket socket = web.accept()) {
                  socket
                      .getOutputStream()
                      .write(
                          "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                  socket.shutdownOutput();
                  socket.getInputStream().readAllBytes();
                } catch (IOException e) {
                  // The client is told by its own end.
                }
              });
      answering.start();

      assertThatThrownBy(() -> registry.list(new EndpointId("127.0.0.1", web.getLocalPort())))
          .isInstanceOf(ProtocolViolationException.class)
          .hasMessageContaining("'HTTP/1.1 400 Bad Request'");
      answering.join();
    }
  }
}
