package io.rmigate.client.socket;

import static io.rmigate.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.Rmigate;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.client.deadline.CallTimeoutException;
import io.rmigate.testing.RefusingPort;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.rmi.AlreadyBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Plain RMI past a gateway that is not there, with the RMI runtime at both ends. */
class UnmediatedSocketTest {
  private final AtomicInteger accepted = new AtomicInteger();
  private final CountDownLatch answer = new CountDownLatch(1);
  private Registry registry;
  private int port;
  private Rmigate rmigate;

  /** A registry that takes its time to list. */
  @BeforeEach
  void export() throws RemoteException {
    RMIServerSocketFactory counting =
        asked -> {
          ServerSocket listener =
              new ServerSocket(asked, 50, InetAddress.getLoopbackAddress()) {
                @Override
                public Socket accept() throws IOException {
                  Socket socket = super.accept();
                  accepted.incrementAndGet();
                  return socket;
                }
              };
          port = listener.getLocalPort();
          return listener;
        };
    registry = LocateRegistry.createRegistry(0, null, counting);
    rmigate = direct("call-timeout", "0s");
  }

  private static Rmigate direct(String key, String value) {
    return Rmigate.builder()
        .gateway(URI.create("http://127.0.0.1:1/none"))
        .tunnel("127.0.0.1:*")
        .set(ConfigKey.WAY, "direct")
        .set(ConfigKey.byName(key).orElseThrow(), value)
        .build();
  }

  @AfterEach
  void unexport() throws RemoteException {
    answer.countDown();
    rmigate.close();
    UnicastRemoteObject.unexportObject(registry, true);
  }

  private Registry there() throws RemoteException {
    return LocateRegistry.getRegistry("127.0.0.1", port, rmigate.socketFactory());
  }

  @Test
  void callsAndExceptionsPassOverOneConnection() throws Exception {
    registry.bind("name", new Unexported());

    assertThat(there().list()).containsExactly("name");
    assertThatThrownBy(() -> there().bind("name", new Unexported()))
        .isInstanceOf(AlreadyBoundException.class);
    assertThat(there().list()).containsExactly("name");

    assertThat(accepted).hasValue(1);
    assertThat(rmigate.ways()).containsExactly("127.0.0.1:" + port + ": direct: it answers");
  }

  /** The registry marshals it as it is. */
  private static final class Unexported implements Remote, java.io.Serializable {
    private static final long serialVersionUID = 1L;
  }

  @Test
  void aServerThatIsNotThereIsAConnectExceptionWithWords() throws Exception {
    try (RefusingPort refusing = new RefusingPort()) {
      Registry gone =
          LocateRegistry.getRegistry("127.0.0.1", refusing.number(), rmigate.socketFactory());

      assertThatThrownBy(gone::list)
          .isInstanceOf(java.rmi.ConnectException.class)
          .cause()
          .isInstanceOf(ConnectException.class)
          .hasMessageContaining("no way leads to 127.0.0.1:" + refusing.number() + ": direct: ");
    }
  }

  @Test
  void aCallThatIsNotAnsweredEndsWithItsTime() throws Exception {
    try (ServerSocket deaf = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      AtomicInteger calls = new AtomicInteger();
      Thread server = new Thread(() -> takeCalls(deaf, calls), "deaf-server");
      server.start();
      try (Rmigate bounded = direct("call-timeout", "200ms")) {
        Registry there =
            LocateRegistry.getRegistry("127.0.0.1", deaf.getLocalPort(), bounded.socketFactory());
        assertThatThrownBy(there::list)
            .isInstanceOf(RemoteException.class)
            .cause()
            .isInstanceOf(CallTimeoutException.class)
            .satisfies(
                late -> assertThat(((CallTimeoutException) late).mayHaveBeenExecuted()).isTrue());
      }
      server.join(PATIENCE.toMillis());
      assertThat(calls).as("it was sent once, and its connection was closed").hasValue(1);
    }
  }

  /** Answers the handshake of one connection, takes what comes, and says nothing. */
  private void takeCalls(ServerSocket listener, AtomicInteger calls) {
    try (Socket socket = listener.accept()) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      in.readNBytes(7);
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.write(0x4e);
      out.writeUTF("127.0.0.1");
      out.writeInt(1);
      out.flush();
      in.readUTF();
      in.readInt();
      if (in.read() == 0x50) {
        calls.incrementAndGet();
      }
      while (in.read() >= 0) {
        // the rest of it
      }
    } catch (IOException over) {
      // closed by the client
    }
  }
}
