package io.rmigate.gateway.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.client.Rmigate;
import io.rmigate.testing.LoopbackPort;
import io.rmigate.testing.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * T38: clients that begin something and do not go on, as many as {@code rmigate.floods.slow} says,
 * over TLS and without. Honest calls are all answered while those are still connected, and there
 * are far fewer threads than connections. That they are closed in the end takes half a minute, and
 * is waited for where {@code rmigate.floods.closed} is set; so is how long honest calls take
 * printed then.
 */
class SlowClientsTest {
  private static final int SLOW = Integer.getInteger("rmigate.floods.slow", 500);
  private static final boolean TO_THE_END = Boolean.getBoolean("rmigate.floods.closed");
  private static final int CALLS = TO_THE_END ? 20_000 : 300;

  private static final String YAML =
      """
      logins:
        anonymous: true
      targets:
        - principals: ["*"]
          allow: ["127.0.0.1:*"]
      """;

  private static final List<byte[]> BEGINNINGS =
      List.of(
          ascii("GET /rmigate/health HTTP/1.1\r\nHost: localhost\r\nX-Slow: "),
          ascii(
              "POST /rmigate/tunnel HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream"
                  + "\r\nContent-Length: 1000\r\n\r\nten bytes."),
          ascii("GET /rmi"),
          HexFormat.of().parseHex("16030100c8010000c40303")); // of a TLS client's hello

  @TempDir Path directory;

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Threads that are at work for a connection, or wait for one. */
  private static long heldThreads() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(thread -> thread.getKey().getName().startsWith("rmigate-http"))
        .filter(thread -> !thread.getKey().getName().contains("-acceptor-")) // waits for anybody
        .filter(thread -> Arrays.stream(thread.getValue()).anyMatch(SlowClientsTest::isOfRequest))
        .count();
  }

  private static boolean isOfRequest(StackTraceElement frame) {
    return frame.getClassName().startsWith("org.eclipse.jetty.server.internal.")
        || frame.getClassName().startsWith("io.rmigate.gateway.");
  }

  /** Microseconds that 99 of 100 calls stay below. */
  private static long call(Registry registry) throws RemoteException {
    long[] nanos = new long[CALLS];
    for (int i = 0; i < CALLS; i++) {
      long begun = System.nanoTime();
      assertThat(registry.list()).isEmpty();
      nanos[i] = System.nanoTime() - begun;
    }
    Arrays.sort(nanos);
    return nanos[CALLS * 99 / 100] / 1000;
  }

  @Test
  void slowClientsTakeNoThreadsAndHinderNobody() throws Exception {
    int port = LoopbackPort.free();
    Registry inside = LocateRegistry.createRegistry(port);
    List<Socket> slow = new ArrayList<>();
    try (RunningGateway gateway = RunningGateway.start(directory, "insecure: true\n" + YAML);
        Rmigate rmigate = Rmigate.builder().gateway(gateway.uri()).tunnel("127.0.0.1:*").build()) {
      Registry registry = LocateRegistry.getRegistry("127.0.0.1", port, rmigate.socketFactory());
      long alone = call(registry);
      for (int i = 0; i < SLOW; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.uri().getPort());
        slow.add(socket);
        socket.getOutputStream().write(BEGINNINGS.get(i % BEGINNINGS.size()));
      }
      long among = call(registry);
      assertThat(slow.stream().filter(socket -> !isClosed(socket, 1)).count())
          .as("what is no HTTP is closed at once")
          .isGreaterThanOrEqualTo(SLOW * (BEGINNINGS.size() - 1L) / BEGINNINGS.size());
      Patience.await().until(() -> heldThreads() == 0);
      if (TO_THE_END) {
        System.out.printf(
            "p99 of %,d calls: %,d us alone, %,d us among %,d slow clients: %.2f times%n",
            CALLS, alone, among, SLOW, (double) among / alone);
        for (Socket socket : slow) {
          Patience.await().until(() -> isClosed(socket, 100));
        }
      }
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
      UnicastRemoteObject.unexportObject(inside, true);
    }
  }

  /** Whether the gateway has ended it, with an answer or without. */
  private static boolean isClosed(Socket socket, int patienceMillis) {
    try {
      socket.setSoTimeout(patienceMillis);
      return socket.getInputStream().readAllBytes() != null;
    } catch (SocketTimeoutException open) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }
}
