package io.rmigate.gateway.session;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HexFormat;

/** A server that answers every Call with a live reference to an endpoint of the test's choice. */
final class LearningServer implements AutoCloseable {
  static final ObjIdentifier OBJECT = new ObjIdentifier(42, 1, 2, (short) 3);

  private final ServerSocket listener;
  private volatile byte[] reply = new byte[0];

  LearningServer() throws IOException {
    this(InetAddress.getLoopbackAddress());
  }

  LearningServer(InetAddress address) throws IOException {
    listener = new ServerSocket(0, 50, address);
    start(this::acceptAll);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** From now on the reference names this endpoint. */
  void replyWith(String host, int port) throws IOException {
    replyWith(host, port, OBJECT);
  }

  /** Likewise, and this object. */
  void replyWith(String host, int port, ObjIdentifier object) throws IOException {
    reply = reply(host, port, object);
  }

  /** A Return that holds a live reference to an object there. */
  static byte[] reply(String host, int port) throws IOException {
    return reply(host, port, OBJECT);
  }

  /** Likewise, to this object. */
  static byte[] reply(String host, int port, ObjIdentifier object) throws IOException {
    ByteArrayOutputStream reference = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(reference);
    out.writeUTF("UnicastRef");
    out.writeUTF(host);
    out.writeInt(port);
    out.write(object.encode());
    out.writeBoolean(false);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(HexFormat.of().parseHex("51aced0005770f01" + "00".repeat(Jrmp.UID_BYTES)));
    all.write(0x77);
    all.write(reference.size());
    all.writeBytes(reference.toByteArray());
    all.write(0x78);
    return all.toByteArray();
  }

  int replyLength() {
    return reply.length;
  }

  private void acceptAll() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        start(() -> serve(socket));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket client) {
    try (Socket socket = client) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      in.readNBytes(7);
      out.writeByte(Jrmp.PROTOCOL_ACK);
      new EndpointId("127.0.0.1", socket.getPort()).writeTo(out);
      EndpointId.readFrom(in);
      while (in.read(new byte[8192]) >= 0) {
        out.write(reply); // small Calls come in one piece
      }
    } catch (IOException over) {
      // The stream or the test has ended.
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "learning-server");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
