package io.rmigate.gateway.session;

import static io.rmigate.testing.Patience.PATIENCE;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.jrmp.message.LeaseReturn;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.Optional;

/** The client's end of one JRMP connection, byte by byte as a test wants it. Blocks. */
final class InnerJvm implements AutoCloseable {
  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;
  private EndpointId seen;

  private InnerJvm(InetAddress address, int port, InetAddress from) throws IOException {
    socket = new Socket(address, port, from, 0);
    socket.setSoTimeout((int) PATIENCE.toMillis());
    socket.setTcpNoDelay(true);
    in = new DataInputStream(socket.getInputStream());
    out = new DataOutputStream(socket.getOutputStream());
  }

  /** Connected, and nothing said. */
  static InnerJvm silent(int port) throws IOException {
    return new InnerJvm(InetAddress.getLoopbackAddress(), port, null);
  }

  /** Connected from another inner host, as far as the gateway can see, and silent. */
  static InnerJvm silentFrom(InetAddress host, int port) throws IOException {
    return new InnerJvm(InetAddress.getLoopbackAddress(), port, host);
  }

  /** Connected, the preamble of StreamProtocol over. */
  static InnerJvm connect(int port) throws IOException {
    return connect(InetAddress.getLoopbackAddress(), port);
  }

  static InnerJvm connect(InetAddress address, int port) throws IOException {
    return greet(new InnerJvm(address, port, null));
  }

  /** Another inner host, as far as the gateway can see. */
  static InnerJvm connectFrom(InetAddress host, int port) throws IOException {
    return greet(silentFrom(host, port));
  }

  private static InnerJvm greet(InnerJvm jvm) throws IOException {
    jvm.header(Jrmp.STREAM_PROTOCOL);
    if (jvm.in.read() != Jrmp.PROTOCOL_ACK) {
      throw new IOException("no ProtocolAck");
    }
    jvm.seen = EndpointId.readFrom(jvm.in);
    new EndpointId("inside.example", 0).writeTo(jvm.out);
    return jvm;
  }

  void header(int protocol) throws IOException {
    out.writeInt(Jrmp.MAGIC);
    out.writeShort(Jrmp.VERSION);
    out.writeByte(protocol);
  }

  /** What the acknowledgement has said that this is. */
  EndpointId seen() {
    return seen;
  }

  int localPort() {
    return socket.getLocalPort();
  }

  void say(byte[] bytes) throws IOException {
    out.write(bytes);
  }

  byte[] read(int bytes) throws IOException {
    return in.readNBytes(bytes);
  }

  /** What a Return that comes has thrown. */
  Throwable thrown() throws Exception {
    return Calls.thrownIn(in);
  }

  /** The next byte; −1 at the end, orderly or not. */
  int next() throws IOException {
    try {
      return in.read();
    } catch (java.net.SocketException reset) {
      return -1;
    }
  }

  /** Whether bytes have come that were not read. */
  boolean hasNews() throws IOException {
    return in.available() > 0;
  }

  int ping() throws IOException {
    say(new byte[] {Jrmp.PING});
    return next();
  }

  /** What is granted. */
  LeaseReturn dirty(VmIdentifier client, long sequence, ObjIdentifier... objects)
      throws IOException {
    say(new DgcCall.Dirty(List.of(objects), sequence, Optional.of(client), 1).encode());
    byte[] answer = read(LeaseReturn.encode(client, 0).length);
    return LeaseReturn.decode(answer, 0, answer.length);
  }

  void clean(VmIdentifier client, long sequence, boolean strong, ObjIdentifier... objects)
      throws IOException {
    say(new DgcCall.Clean(List.of(objects), sequence, client, strong).encode());
    byte[] answer = read(LeaseReturn.encodeNothing().length);
    LeaseReturn.expectNothing(answer, 0, answer.length);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
