package io.rmigate.client.ladder;

import static io.rmigate.testing.Patience.PATIENCE;

import io.rmigate.protocol.post.PostRequest;
import io.rmigate.testing.ServedConnections;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A gateway, or what stands before it, as far as transports see it: says yes or no to upgrades and
 * POSTs as it is told, any number at a time.
 */
final class ScriptedGateway implements Closeable {
  /** The answer to number 1, without anything. */
  private static final byte[] OPENED = {1, 1, 0, 0};

  /** The answer to a POST that gives the connection up. */
  private static final byte[] ENDED = {1, 0, 2, 0};

  private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

  /** The first byte of a TLS connection. */
  private static final int TLS_HANDSHAKE = 0x16;

  /** What becomes of an upgrade. */
  enum Upgrade {
    /** It is made, and pings are answered. */
    TAKE,
    /** The answer is {@link #refusal}. */
    REFUSE,
    /** Nothing comes. */
    HANG,
    /** The connection breaks. */
    RESET,
    /** It is made, and no frame comes back. */
    SWALLOW
  }

  private final ServedConnections connections = new ServedConnections("scripted-gateway");
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final CountDownLatch hungUp = new CountDownLatch(1);
  private final CountDownLatch givenUp = new CountDownLatch(1);

  volatile Upgrade upgrade = Upgrade.TAKE;
  volatile String refusal = "HTTP/1.1 426 Upgrade Required\r\nContent-Length: 0\r\n\r\n";

  /** POSTs are answered when it has been passed. */
  volatile CountDownLatch beforePosts = new CountDownLatch(0);

  /** Empty: POSTs are taken. */
  volatile String postRefusal = "";

  ScriptedGateway() throws IOException {
    connections.start(this::serve);
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + connections.port() + "/rmigate");
  }

  /** Methods of the requests so far. */
  List<String> requests() {
    return List.copyOf(requests);
  }

  int connections() {
    return connections.accepted();
  }

  /** Passed when a client has closed a connection on which it was left hanging. */
  CountDownLatch hungUp() {
    return hungUp;
  }

  /** Passed when a client has given up a connection that it had opened by POST. */
  CountDownLatch givenUp() {
    return givenUp;
  }

  private void serve(Socket socket) throws IOException, InterruptedException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    int first = in.readUnsignedByte();
    if (first == TLS_HANDSHAKE) {
      send(socket, "HTTP/1.1 400 Not TLS\r\n\r\n");
      return;
    }
    String head = (char) first + head(in);
    requests.add(head.substring(0, head.indexOf(' ')));
    if (head.startsWith("POST ")) {
      post(socket, in, head);
    } else {
      upgrade(socket, in, head);
    }
  }

  private void upgrade(Socket socket, DataInputStream in, String head) throws IOException {
    switch (upgrade) {
      case REFUSE -> send(socket, refusal);
      case RESET -> socket.setSoLinger(true, 0);
      case HANG -> awaitEnd(in);
      case SWALLOW -> {
        send(socket, switching(head));
        awaitEnd(in);
      }
      case TAKE -> {
        send(socket, switching(head));
        answerPings(socket, in);
      }
    }
  }

  private void awaitEnd(DataInputStream in) {
    try {
      while (in.read() >= 0) {
        // its content does not matter
      }
    } catch (IOException reset) {
      // an end, too
    }
    hungUp.countDown();
  }

  private static void answerPings(Socket socket, DataInputStream in) throws IOException {
    while (true) {
      int b0 = in.readUnsignedByte();
      int length = in.readUnsignedByte() & 0x7F;
      in.readNBytes(4 + length);
      if (b0 == 0x89) {
        socket.getOutputStream().write(new byte[] {(byte) 0x8A, 0});
      }
    }
  }

  private void post(Socket socket, DataInputStream in, String head)
      throws IOException, InterruptedException {
    body(in, head);
    beforePosts.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    if (!postRefusal.isEmpty()) {
      send(socket, postRefusal);
      return;
    }
    answer(socket, OPENED);
    try {
      PostRequest next = body(in, head(in));
      if (next.givesUp()) {
        givenUp.countDown();
        answer(socket, ENDED);
      }
    } finally {
      awaitEnd(in);
    }
  }

  private static PostRequest body(DataInputStream in, String head) throws IOException {
    int length = Integer.parseInt(head.replaceAll("(?s).*Content-Length: (\\d+)\r\n.*", "$1"));
    return PostRequest.decode(in.readNBytes(length), length);
  }

  private static void answer(Socket socket, byte[] body) throws IOException {
    send(socket, "HTTP/1.1 200 OK\r\nContent-Length: " + body.length + "\r\n\r\n");
    socket.getOutputStream().write(body);
  }

  private static String head(DataInputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) in.readUnsignedByte());
    }
    return head.toString();
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static String switching(String head) {
    try {
      String key = head.replaceAll("(?s).*Sec-WebSocket-Key: (\\S+).*", "$1") + GUID;
      String accept =
          Base64.getEncoder()
              .encodeToString(
                  MessageDigest.getInstance("SHA-1")
                      .digest(key.getBytes(StandardCharsets.US_ASCII)));
      return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          + "Sec-WebSocket-Accept: "
          + accept
          + "\r\nSec-WebSocket-Protocol: rmigate.1\r\n\r\n";
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() throws IOException {
    connections.close();
  }
}
