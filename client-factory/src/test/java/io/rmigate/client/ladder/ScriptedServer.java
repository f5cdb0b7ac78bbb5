package io.rmigate.client.ladder;

import io.rmigate.testing.ServedConnections;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What listens where an RMI server should be, or an HTTP proxy: answers as it is told, any number
 * at a time.
 */
final class ScriptedServer implements Closeable {
  /** What it is. */
  enum Kind {
    /** Answers the beginning of JRMP. */
    RMI,
    /** Accepts, and says nothing. */
    SILENT,
    /** Answers any bytes as a web server does. */
    WEB,
    /** Answers CONNECT with {@link #answer}; behind a yes it is an RMI server. */
    PROXY,
    /** Closes what it accepts. */
    HANGS_UP
  }

  private final ServedConnections connections = new ServedConnections("scripted-server");
  private final List<String> connects = new CopyOnWriteArrayList<>();
  private final AtomicInteger ended = new AtomicInteger();

  volatile Kind kind;
  volatile String answer = "HTTP/1.1 200 Connected\r\n\r\n";

  ScriptedServer(Kind kind) throws IOException {
    this.kind = kind;
    connections.start(this::serve);
  }

  int port() {
    return connections.port();
  }

  /** Connections so far. */
  int connections() {
    return connections.accepted();
  }

  /** Those whose client has closed them. */
  int ended() {
    return ended.get();
  }

  /** Request lines of CONNECTs so far. */
  List<String> connects() {
    return List.copyOf(connects);
  }

  private void serve(Socket socket) throws IOException {
    try {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      switch (kind) {
        case HANGS_UP -> {
          return;
        }
        case WEB -> send(socket, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
        case RMI -> answerRmi(socket, in);
        case PROXY -> answerConnect(socket, in);
        case SILENT -> {}
      }
      while (in.read() >= 0) {
        // its content does not matter
      }
    } finally {
      ended.incrementAndGet();
    }
  }

  private static void answerRmi(Socket socket, DataInputStream in) throws IOException {
    in.readNBytes(7);
    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
    out.write(0x4e);
    out.writeUTF("127.0.0.1");
    out.writeInt(socket.getPort());
    out.flush();
  }

  private void answerConnect(Socket socket, DataInputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) in.readUnsignedByte());
    }
    connects.add(head.substring(0, head.indexOf("\r\n")));
    send(socket, answer);
    if (answer.startsWith("HTTP/1.1 200 ")) {
      answerRmi(socket, in);
    }
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  @Override
  public void close() throws IOException {
    connections.close();
  }
}
