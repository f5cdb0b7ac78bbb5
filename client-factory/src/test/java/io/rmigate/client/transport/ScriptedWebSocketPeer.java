package io.rmigate.client.transport;

import static io.rmigate.testing.Patience.PATIENCE;

import io.rmigate.client.transport.net.SocketTeardown;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A server that follows a script, one per connection in the order of the connections. Closing it
 * waits for the scripts and reports what went wrong in them.
 */
public final class ScriptedWebSocketPeer implements Closeable {

  /** What the server does with one connection; runs on a thread of its own. */
  @FunctionalInterface
  public interface Script {
    void play(Conversation conversation) throws Exception;
  }

  private final ServerSocket server;
  private final List<Socket> accepted = new CopyOnWriteArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Void> finished = new CompletableFuture<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;

  public ScriptedWebSocketPeer(Script... scripts) throws IOException {
    this(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), scripts);
  }

  public ScriptedWebSocketPeer(ServerSocket server, Script... scripts) {
    this.server = server;
    thread = new Thread(() -> play(scripts), "scripted-websocket-peer");
    thread.start();
  }

  public int port() {
    return server.getLocalPort();
  }

  /** The heads of the requests so far. */
  public List<String> requests() {
    return requests;
  }

  private void play(Script... scripts) {
    try {
      for (Script script : scripts) {
        try (Socket socket = server.accept()) {
          accepted.add(socket);
          script.play(new Conversation(socket));
        }
      }
      finished.complete(null);
    } catch (Throwable e) {
      finished.completeExceptionally(e);
    }
  }

  /** Waits for the scripts' end; fails if one failed. */
  public void awaitEnd() {
    try {
      finished.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException | InterruptedException e) {
      throw new AssertionError("the peer's script did not end well", e);
    }
  }

  /** Ends everything without asking how it went. */
  @Override
  public void close() throws IOException {
    closing.countDown();
    server.close();
    for (Socket socket : accepted) {
      socket.close();
    }
    try {
      thread.join(PATIENCE.toMillis());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    if (thread.isAlive()) {
      throw new AssertionError("the peer's thread is still there");
    }
  }

  /** One accepted connection. */
  public final class Conversation {
    private final Socket socket;
    private final DataInputStream in;

    Conversation(Socket socket) throws IOException {
      this.socket = socket;
      this.in = new DataInputStream(socket.getInputStream());
    }

    public Socket socket() {
      return socket;
    }

    /** Reads up to the empty line, which is all a GET or CONNECT consists of. */
    public String readRequest() throws IOException {
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        int b = in.read();
        if (b < 0) {
          throw new SocketException("the client left in the middle of its request: " + head);
        }
        head.append((char) b);
      }
      requests.add(head.toString());
      return head.toString();
    }

    public void send(String text) throws IOException {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public void sendHex(String hex) throws IOException {
      send(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    public void send(byte[] bytes) throws IOException {
      socket.getOutputStream().write(bytes);
    }

    public byte[] readBytes(int length) throws IOException {
      return in.readNBytes(length);
    }

    /** The whole opening handshake. */
    public void upgrade() throws IOException {
      send(switchingProtocols(readRequest()));
    }

    /** The next frame: first byte, space, payload unmasked; both in hex. */
    public String readFrame() throws IOException {
      int b0 = in.readUnsignedByte();
      byte[] payload = readPayload();
      return "%02x %s".formatted(b0, HexFormat.of().formatHex(payload));
    }

    public byte[] readPayload() throws IOException {
      int b1 = in.readUnsignedByte();
      if ((b1 & 0x80) == 0) {
        throw new AssertionError("the client sent an unmasked frame");
      }
      long length = b1 & 0x7F;
      length = length == 126 ? in.readUnsignedShort() : length == 127 ? in.readLong() : length;
      byte[] key = in.readNBytes(4);
      byte[] payload = in.readNBytes((int) length);
      for (int i = 0; i < payload.length; i++) {
        payload[i] ^= key[i % 4];
      }
      return payload;
    }

    /** Whether the client has closed: nothing more comes. */
    public boolean atEnd() {
      try {
        return in.read() < 0;
      } catch (SocketException e) {
        return true; // closed with a reset
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Reads until the client has closed. */
    public void readToEnd() {
      while (!atEnd()) {
        // its content does not matter
      }
    }

    /** Says and reads nothing more, and stays, until the peer is closed. */
    public void fallSilent() throws InterruptedException {
      closing.await();
    }

    /** Passes bytes both ways until either side ends: what an HTTP proxy does after CONNECT. */
    public void relayTo(int port) throws IOException {
      try (Socket target = new Socket(InetAddress.getLoopbackAddress(), port)) {
        accepted.add(target);
        Thread back = new Thread(() -> copy(streamOf(target), socket), "scripted-peer-relay");
        back.start();
        copy(in, target);
        back.join(PATIENCE.toMillis());
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static InputStream streamOf(Socket socket) {
    try {
      return socket.getInputStream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void copy(InputStream in, Socket to) {
    try {
      in.transferTo(to.getOutputStream());
    } catch (IOException e) {
      // either side has gone: the relay ends
    } finally {
      SocketTeardown.close(to);
    }
  }

  /** A right answer to the request. */
  public static String switchingProtocols(String request) {
    String key = request.replaceAll("(?s).*Sec-WebSocket-Key: (\\S+).*", "$1");
    return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: "
        + accept(key)
        + "\r\nSec-WebSocket-Protocol: rmigate.1\r\n\r\n";
  }

  private static String accept(String key) {
    try {
      ByteArrayOutputStream joined = new ByteArrayOutputStream();
      joined.writeBytes(key.getBytes(StandardCharsets.US_ASCII));
      joined.writeBytes("258EAFA5-E914-47DA-95CA-C5AB0DC85B11".getBytes(StandardCharsets.US_ASCII));
      return Base64.getEncoder()
          .encodeToString(MessageDigest.getInstance("SHA-1").digest(joined.toByteArray()));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
