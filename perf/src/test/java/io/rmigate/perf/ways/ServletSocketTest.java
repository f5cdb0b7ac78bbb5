package io.rmigate.perf.ways;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** RMI's own client over POSTs, against this JVM's registry behind a scripted endpoint. */
class ServletSocketTest {
  private static final byte CALL = 0x50;
  private static final byte DGC_ACK = 0x54;

  private ServerSocket endpoint;
  private ServerSocket registrySocket;
  private Registry registry;
  private Registry posted;

  /** The kind of each message, in the order in which they came. */
  private final Queue<Byte> messages = new ConcurrentLinkedQueue<>();

  private final CountDownLatch acknowledged = new CountDownLatch(1);
  private volatile String status = "200 OK";

  @BeforeEach
  void start() throws Exception {
    registry =
        LocateRegistry.createRegistry(
            0,
            null,
            port -> {
              registrySocket = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
              return registrySocket;
            });
    registry.bind("self", registry);
    endpoint = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::serve, "scripted endpoint");
    thread.setDaemon(true);
    thread.start();
    posted =
        LocateRegistry.getRegistry(
            "inside.example",
            registrySocket.getLocalPort(),
            new ServletSocketFactory("127.0.0.1", endpoint.getLocalPort()));
  }

  @AfterEach
  void stop() throws Exception {
    endpoint.close();
    UnicastRemoteObject.unexportObject(registry, true);
  }

  /** A connection is one POST. */
  private void serve() {
    while (!endpoint.isClosed()) {
      try (Socket socket = endpoint.accept()) {
        InputStream in = new BufferedInputStream(socket.getInputStream());
        String request = line(in);
        int length = 0;
        for (String field = line(in); !field.isEmpty(); field = line(in)) {
          if (field.startsWith("Content-Length: ")) {
            length = Integer.parseInt(field.substring("Content-Length: ".length()));
          }
        }
        byte[] body = in.readNBytes(length);
        assertThat(request)
            .isEqualTo(
                "POST /cgi-bin/java-rmi.cgi?forward=%d HTTP/1.1", registrySocket.getLocalPort());
        assertThat(body).startsWith('J', 'R', 'M', 'I', 0, 2, 0x4c);
        byte[] answer = forward(body);
        messages.add(body[7]);
        socket.getOutputStream().write(head(answer.length));
        socket.getOutputStream().write(answer);
        if (body[7] == DGC_ACK) {
          acknowledged.countDown();
        }
      } catch (IOException over) {
        // of this connection, or of the test
      }
    }
  }

  private byte[] head(int length) {
    return ("HTTP/1.1 " + status + "\r\nContent-Length: " + length + "\r\n\r\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  private byte[] forward(byte[] message) throws IOException {
    try (Socket server =
        new Socket(InetAddress.getLoopbackAddress(), registrySocket.getLocalPort())) {
      server.getOutputStream().write(message);
      return server.getInputStream().readAllBytes();
    }
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new IOException("the end in the middle of a head");
      }
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }

  @Test
  void eachCallIsOnePost() throws Exception {
    assertThat(posted.list()).containsExactly("self");
    assertThat(posted.list()).containsExactly("self");
    assertThat(messages).containsExactly(CALL, CALL);
  }

  @Test
  void soIsTheAcknowledgementOfAReference() throws Exception {
    assertThat(posted.lookup("self")).isNotNull();
    acknowledged.await();
    assertThat(messages).contains(CALL, DGC_ACK);
  }

  @Test
  void aRefusalSaysWhatTheEndpointHasAnswered() {
    status = "403 Forbidden";
    assertThatThrownBy(() -> posted.list())
        .isInstanceOf(RemoteException.class)
        .rootCause()
        .hasMessageContaining("403 Forbidden");
  }
}
