package io.rmigate.gateway.session;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.testing.ServedConnections;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.HexFormat;

/** A server that answers every Call with a live reference to an endpoint of the test's choice. */
final class LearningServer implements AutoCloseable {
  static final ObjIdentifier OBJECT = new ObjIdentifier(42, 1, 2, (short) 3);

  private final ServedConnections connections;
  private volatile byte[] reply = new byte[0];

  LearningServer() throws IOException {
    this(InetAddress.getLoopbackAddress());
  }

  LearningServer(InetAddress address) throws IOException {
    connections = new ServedConnections("learning-server", address);
    connections.start(this::serve);
  }

  int port() {
    return connections.port();
  }

  /** From now on the reference names this endpoint. */
  void replyWith(String host, int port) throws IOException {
    replyWith(host, port, OBJECT);
  }

  /** From now on the reference names this endpoint and this object. */
  void replyWith(String host, int port, ObjIdentifier object) throws IOException {
    reply = reply(host, port, object);
  }

  /** A Return that holds a live reference to an object there. */
  static byte[] reply(String host, int port) throws IOException {
    return reply(host, port, OBJECT);
  }

  /** A Return that holds a live reference to this object there. */
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

  private void serve(Socket socket) throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
    in.readNBytes(7);
    out.writeByte(Jrmp.PROTOCOL_ACK);
    new EndpointId("127.0.0.1", socket.getPort()).writeTo(out);
    EndpointId.readFrom(in);
    while (in.read(new byte[8192]) >= 0) {
      out.write(reply); // small Calls come in one piece
    }
  }

  @Override
  public void close() throws IOException {
    connections.close();
  }
}
