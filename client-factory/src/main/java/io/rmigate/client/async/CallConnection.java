package io.rmigate.client.async;

import io.rmigate.client.link.StreamSequence;
import io.rmigate.client.socket.TunnelSocket;
import io.rmigate.protocol.jrmp.Jrmp;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.rmi.ConnectIOException;
import java.rmi.RemoteException;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMISocketFactory;
import java.rmi.server.UID;

/**
 * A JRMP connection that carries one call at a time. Confined to the thread that has it, but for
 * {@link #close} and {@link #isUnsent}.
 */
final class CallConnection implements Closeable {
  /** An idle connection may have been ended by the server: it is pinged after this time. */
  private static final long PING_AFTER_NANOS = 5_000_000;

  private final StubReference.Server server;
  private final Socket socket;

  /** Null where the connection does not pass the gateway. */
  private final TunnelSocket tunnelled;

  private final InputStream in;
  private final OutputStream out;
  private long idleSinceNanos;

  private CallConnection(StubReference.Server server, Socket socket) throws IOException {
    this.server = server;
    this.socket = socket;
    this.tunnelled = socket instanceof TunnelSocket ours ? ours : null;
    this.in = new BufferedInputStream(socket.getInputStream());
    this.out = socket.getOutputStream();
  }

  /**
   * Connects as the RMI runtime does: by the stub's own factory, the JVM's, or the default.
   *
   * @throws RemoteException it cannot; nothing was sent
   */
  static CallConnection open(StubReference.Server server) throws RemoteException {
    Socket socket = null;
    try {
      socket = factory(server).createSocket(server.host(), server.port());
      CallConnection opened = new CallConnection(server, socket);
      opened.shakeHands();
      return opened;
    } catch (java.net.UnknownHostException unknown) {
      throw new java.rmi.UnknownHostException("Unknown host: " + server.host(), unknown);
    } catch (java.net.ConnectException refused) {
      throw new java.rmi.ConnectException("Connection refused to host: " + server.host(), refused);
    } catch (IOException failed) {
      closeQuietly(socket);
      throw new ConnectIOException("Exception creating connection to: " + server.host(), failed);
    } catch (RuntimeException | Error failed) {
      closeQuietly(socket);
      throw failed;
    }
  }

  private static RMIClientSocketFactory factory(StubReference.Server server) {
    if (server.factory() != null) {
      return server.factory();
    }
    RMISocketFactory installed = RMISocketFactory.getSocketFactory();
    return installed == null ? RMISocketFactory.getDefaultSocketFactory() : installed;
  }

  private void shakeHands() throws IOException {
    if (tunnelled == null) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(Integer.getInteger("sun.rmi.transport.tcp.handshakeTimeout", 60_000));
    }
    ByteArrayOutputStream header = new ByteArrayOutputStream(7);
    DataOutputStream fields = new DataOutputStream(header);
    fields.writeInt(Jrmp.MAGIC);
    fields.writeShort(Jrmp.VERSION);
    fields.writeByte(Jrmp.STREAM_PROTOCOL);
    send(header);
    DataInputStream answer = new DataInputStream(in);
    int code = answer.readUnsignedByte();
    if (code != Jrmp.PROTOCOL_ACK) {
      throw new ConnectIOException(
          code == Jrmp.PROTOCOL_NOT_SUPPORTED
              ? "JRMP StreamProtocol not supported by server"
              : "non-JRMP server at remote endpoint");
    }
    answer.readUTF(); // what this JVM is called over there: not asked by anything here
    answer.readInt();
    fields.writeUTF(socket.getLocalAddress().getHostAddress());
    fields.writeInt(0);
    send(header);
    if (tunnelled == null) {
      socket.setSoTimeout(Integer.getInteger("sun.rmi.transport.tcp.responseTimeout", 0));
    }
  }

  private void send(ByteArrayOutputStream bytes) throws IOException {
    bytes.writeTo(out);
    out.flush();
    bytes.reset();
  }

  StubReference.Server server() {
    return server;
  }

  /** Whether {@link #whenAnswered} needs no thread. */
  boolean passesGateway() {
    return tunnelled != null;
  }

  /** Whether a call can be sent here; may wait for the answer to a ping. */
  boolean isAlive() {
    if (socket.isClosed()) {
      return false;
    }
    if (tunnelled != null || System.nanoTime() - idleSinceNanos < PING_AFTER_NANOS) {
      return true;
    }
    try {
      out.write(Jrmp.PING);
      out.flush();
      return in.read() == Jrmp.PING_ACK;
    } catch (IOException gone) {
      return false;
    }
  }

  /** Sends a Call; not all of it may have left when this returns. */
  void send(PreparedCall call) throws IOException {
    out.write(call.message());
    out.flush();
  }

  /**
   * Has {@code task} run once there is something of the Return to read: by this thread or another
   * one, which it must not keep.
   */
  void whenAnswered(Runnable task) throws IOException {
    if (tunnelled == null) {
      task.run();
    } else {
      tunnelled.whenAnswered(task);
    }
  }

  /** Makes the calls take part in a sequence; false when the connection cannot. */
  boolean join(StreamSequence sequence) {
    return tunnelled != null && tunnelled.join(sequence);
  }

  InputStream in() {
    return in;
  }

  /** The time that the Return may still take; {@link Long#MAX_VALUE} for no bound. */
  long leftNanos() {
    return tunnelled == null ? Long.MAX_VALUE : tunnelled.leftNanos();
  }

  /** Whether certainly nothing of the latest Call has left. By any thread. */
  boolean isUnsent() {
    return tunnelled != null && tunnelled.isUnsent();
  }

  /** Whether the Return was made on this side of the link. */
  boolean isAnsweredHere() {
    return tunnelled != null && tunnelled.isAnsweredHere();
  }

  /** The references in a Return are registered. */
  void acknowledge(UID acknowledged) throws IOException {
    ByteArrayOutputStream message = new ByteArrayOutputStream(15);
    DataOutputStream fields = new DataOutputStream(message);
    fields.writeByte(Jrmp.DGC_ACK);
    acknowledged.write(fields);
    send(message);
  }

  /** Marks the connection as idle; false when bytes of a Return are left, which stay unread. */
  boolean isIdle() {
    idleSinceNanos = System.nanoTime();
    try {
      return in.available() == 0;
    } catch (IOException gone) {
      return false;
    }
  }

  long idleSinceNanos() {
    return idleSinceNanos;
  }

  /** Closes the socket, from any thread: a Call of which not all has left is never executed. */
  @Override
  public void close() {
    closeQuietly(socket);
  }

  private static void closeQuietly(Socket socket) {
    if (socket != null) {
      try {
        socket.close();
      } catch (IOException gone) {
        // it is not used any more
      }
    }
  }
}
