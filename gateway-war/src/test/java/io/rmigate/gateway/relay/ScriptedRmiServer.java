package io.rmigate.gateway.relay;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.MessageGrammar;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The server's end of JRMP on a plain socket, with a fault of choice. Keeps every byte that came
 * behind the preambles, within limits. One daemon thread per connection.
 */
public final class ScriptedRmiServer implements AutoCloseable {
  /** A Return of nothing: kind 1 and a UID of zeros. */
  public static final byte[] VOID_RETURN =
      HexFormat.of().parseHex("51aced0005770f01" + "00".repeat(Jrmp.UID_BYTES));

  private static final int KEPT_BYTES = 1 << 20;

  /** One accepted connection. Written by its own thread. */
  public static final class Connection {
    private final Socket socket;
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private final AtomicLong receivedBytes = new AtomicLong();
    private volatile int protocol;
    private volatile boolean ended;

    private Connection(Socket socket) {
      this.socket = socket;
    }

    /** StreamProtocol or SingleOpProtocol; 0 until the header has come. */
    public int protocol() {
      return protocol;
    }

    /** How much has come behind the preamble. */
    public long receivedBytes() {
      return receivedBytes.get();
    }

    /** What has come behind the preamble, the first mebibyte of it. */
    public byte[] received() {
      synchronized (received) {
        return received.toByteArray();
      }
    }

    /** Whether the other side, or we, have closed it. */
    public boolean ended() {
      return ended;
    }

    private void keep(byte[] bytes, int count) {
      receivedBytes.addAndGet(count);
      synchronized (received) {
        if (received.size() < KEPT_BYTES) {
          received.write(bytes, 0, count);
        }
      }
    }

    /** Sends bytes that are no answer. */
    public void say(byte[] bytes) throws IOException {
      socket.getOutputStream().write(bytes);
    }

    /** Closes it from the server's side. */
    public void close() throws IOException {
      socket.close();
    }

    /** Breaks it from the server's side: what the other side sends from here on fails. */
    public void reset() throws IOException {
      socket.setSoLinger(true, 0);
      socket.close();
    }
  }

  private final ServerSocket listener;
  private final List<Connection> connections = new CopyOnWriteArrayList<>();
  private volatile FailurePolicy policy;
  private volatile byte[] answer = VOID_RETURN;

  /** A server with this fault, listening on a free port of loopback. */
  public ScriptedRmiServer(FailurePolicy policy) throws IOException {
    this(policy, InetAddress.getLoopbackAddress(), 0);
  }

  /** A server with this fault, listening there; port 0 is any free one. */
  public ScriptedRmiServer(FailurePolicy policy, InetAddress address, int port) throws IOException {
    this.policy = policy;
    listener = new ServerSocket(port, 50, address);
    start(this::acceptAll);
  }

  /** The fault from now on; connections look at it at every step. */
  public void policy(FailurePolicy next) {
    policy = next;
  }

  /** What Calls are answered with from now on. */
  public void answer(byte[] message) {
    answer = message.clone();
  }

  /** Where it listens. */
  public int port() {
    return listener.getLocalPort();
  }

  /** All connections so far, in their order. */
  public List<Connection> connections() {
    return List.copyOf(connections);
  }

  /** All bytes of requests, over all connections. */
  public byte[] received() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    connections.forEach(connection -> all.writeBytes(connection.received()));
    return all.toByteArray();
  }

  /** Whether no connection is open any more. */
  public boolean allEnded() {
    return connections.stream().allMatch(Connection::ended);
  }

  private void acceptAll() {
    while (!listener.isClosed()) {
      try {
        Connection connection = new Connection(listener.accept());
        connections.add(connection);
        start(() -> serve(connection));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Connection connection) {
    try (Socket socket = connection.socket) {
      socket.setTcpNoDelay(true);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      in.readInt();
      in.readUnsignedShort();
      connection.protocol = in.readUnsignedByte();
      if (connection.protocol == Jrmp.STREAM_PROTOCOL && !handshake(connection, in, out)) {
        return;
      }
      if (policy == FailurePolicy.NEVER_READ) {
        waitUntilReading(connection);
        drain(connection, in);
        return;
      }
      serveMessages(connection, in, out);
    } catch (IOException over) {
      // The other side, or the end of the test, has closed the connection.
    } finally {
      connection.ended = true;
    }
  }

  private boolean handshake(Connection connection, DataInputStream in, DataOutputStream out)
      throws IOException {
    switch (policy) {
      case NEVER_ACK -> {
        drain(connection, in);
        return false;
      }
      case NACK -> {
        out.writeByte(Jrmp.PROTOCOL_NOT_SUPPORTED);
        return false;
      }
      case HTTP -> {
        out.write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        return false;
      }
      case CLOSE_ON_HEADER -> {
        return false;
      }
      default -> {}
    }
    ByteArrayOutputStream ack = new ByteArrayOutputStream();
    ack.write(Jrmp.PROTOCOL_ACK);
    new EndpointId("127.0.0.1", connection.socket.getPort()).writeTo(new DataOutputStream(ack));
    send(out, ack.toByteArray());
    if (policy == FailurePolicy.CLOSE_AFTER_ACK) {
      EndpointId.readFrom(in);
      return false;
    }
    if (policy != FailurePolicy.NEVER_READ) {
      EndpointId.readFrom(in);
    }
    return true;
  }

  private void serveMessages(Connection connection, DataInputStream in, DataOutputStream out)
      throws IOException {
    byte[] pending = new byte[0];
    byte[] piece = new byte[64 * 1024];
    for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
      connection.keep(piece, count);
      int had = pending.length;
      pending = Arrays.copyOf(pending, had + count);
      System.arraycopy(piece, 0, pending, had, count);
      int end = endOfFirst(pending);
      while (end > 0) {
        int code = pending[0];
        pending = Arrays.copyOfRange(pending, end, pending.length);
        boolean onlyOne =
            connection.protocol == Jrmp.SINGLE_OP_PROTOCOL
                && policy != FailurePolicy.KEEP_SINGLE_OP_OPEN;
        if (!answer(code, out) || onlyOne) {
          return;
        }
        end = endOfFirst(pending);
      }
    }
  }

  private static int endOfFirst(byte[] pending) {
    return pending.length > 0
            && MessageGrammar.endOfRequest(pending, 0, pending.length)
                instanceof MessageEnd.Complete complete
        ? complete.end()
        : 0;
  }

  /** Whether the connection goes on. */
  private boolean answer(int code, DataOutputStream out) throws IOException {
    FailurePolicy now = policy;
    if (code == Jrmp.PING) {
      if (now == FailurePolicy.WRONG_PING_ACK) {
        out.writeByte(Jrmp.PROTOCOL_NOT_SUPPORTED);
      } else if (now != FailurePolicy.NO_PING_ACK) {
        out.writeByte(Jrmp.PING_ACK);
      }
      return true;
    }
    if (code == Jrmp.DGC_ACK || now == FailurePolicy.NEVER_ANSWER) {
      return true;
    }
    if (now == FailurePolicy.CLOSE_AFTER_CALL) {
      return false;
    }
    if (now == FailurePolicy.CUT_RETURN) {
      out.write(answer, 0, answer.length / 2);
      return false;
    }
    send(out, answer);
    return now != FailurePolicy.CLOSE_AFTER_RETURN;
  }

  private void send(DataOutputStream out, byte[] bytes) throws IOException {
    if (policy != FailurePolicy.SINGLE_BYTES) {
      out.write(bytes);
      return;
    }
    for (byte one : bytes) {
      out.write(one);
      out.flush();
    }
  }

  private static void drain(Connection connection, DataInputStream in) throws IOException {
    byte[] piece = new byte[8192];
    for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
      connection.keep(piece, count);
    }
  }

  private void waitUntilReading(Connection connection) {
    while (policy == FailurePolicy.NEVER_READ && !connection.socket.isClosed()) {
      LockSupport.parkNanos(5_000_000);
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "scripted-rmi-server");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Connection connection : connections) {
      connection.close();
    }
  }
}
