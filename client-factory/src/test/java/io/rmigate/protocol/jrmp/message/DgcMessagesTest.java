package io.rmigate.protocol.jrmp.message;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.CallBytes;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.GoldenMessages;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.rmi.Remote;
import java.rmi.dgc.Lease;
import java.rmi.dgc.VMID;
import java.rmi.server.ObjID;
import java.rmi.server.UnicastRemoteObject;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What we write for the distributed garbage collector is what the JDK writes, and reads. */
class DgcMessagesTest {
  private static final VmIdentifier CLIENT = new VmIdentifier(1, 2, 3, (short) 4);

  private interface Nothing extends Remote {}

  @Test
  void dirtyIsWrittenAsTheJdkWritesIt() throws Exception {
    byte[] golden = HexFormat.of().parseHex(GoldenMessages.DIRTY);
    assertThat(DgcCall.decode(golden, 0, golden.length).orElseThrow().encode()).isEqualTo(golden);

    VMID vmId = new VMID();
    for (ObjID[] ids :
        new ObjID[][] {{}, {new ObjID()}, {new ObjID(), new ObjID(2), new ObjID()}}) {
      byte[] real =
          jdkCall(
              1,
              out -> {
                out.writeObject(ids);
                out.writeLong(77);
                out.writeObject(new Lease(vmId, 5));
              });
      assertThat(DgcCall.decode(real, 0, real.length).orElseThrow().encode()).isEqualTo(real);
    }
  }

  @Test
  void cleanIsWrittenAsTheJdkWritesIt() throws Exception {
    VMID vmId = new VMID();
    for (boolean strong : new boolean[] {false, true}) {
      byte[] real =
          jdkCall(
              0,
              out -> {
                out.writeObject(new ObjID[] {new ObjID(), new ObjID()});
                out.writeLong(Long.MIN_VALUE);
                out.writeObject(vmId);
                out.writeBoolean(strong);
              });
      assertThat(DgcCall.decode(real, 0, real.length).orElseThrow().encode()).isEqualTo(real);
    }
  }

  @Test
  void leaseIsWrittenAndReadAsTheJdkDoes() throws Exception {
    byte[] real = CallBytes.normalReturn(out -> out.writeObject(new Lease(new VMID(), 3_600_000)));
    LeaseReturn lease = LeaseReturn.decode(real, 0, real.length);
    assertThat(lease.durationMillis()).isEqualTo(3_600_000);
    assertThat(LeaseReturn.encode(lease.client().orElseThrow(), lease.durationMillis()))
        .isEqualTo(real);

    byte[] ofNobody = CallBytes.normalReturn(out -> out.writeObject(new Lease(null, 1)));
    assertThat(LeaseReturn.decode(ofNobody, 0, ofNobody.length))
        .isEqualTo(new LeaseReturn(Optional.empty(), 1));
    assertThat(LeaseReturn.encodeNothing()).isEqualTo(CallBytes.normalReturn(out -> {}));
  }

  @Test
  void whatIsNoLeaseIsAViolation() {
    List<byte[]> wrong =
        List.of(
            LeaseReturn.encodeNothing(),
            CallBytes.normalReturn(out -> out.writeObject("lease")),
            CallBytes.normalReturn(out -> out.writeObject(new VMID())),
            ExceptionalReturn.encode(new java.rmi.ConnectException("no")),
            Arrays.copyOf(LeaseReturn.encode(CLIENT, 1), 100),
            new byte[0]);
    for (byte[] message : wrong) {
      assertThatThrownBy(() -> LeaseReturn.decode(message, 0, message.length))
          .isInstanceOf(ProtocolViolationException.class);
    }
  }

  /**
   * The JDK's client of the distributed garbage collector takes our lease: it renews it when half
   * of it is over, which it can only know by having read it.
   */
  @Test
  void jdkReadsOurLease() throws Exception {
    try (LeasingServer server = new LeasingServer(2_000)) {
      Object held = stubOfObjectAt(server.port());

      await().until(() -> server.dirties.size() >= 2);

      assertThat(held).isNotNull();
      assertThat(server.dirties.get(0).objects()).hasSize(1);
      assertThat(server.dirties.get(1).objects()).isEmpty();
      assertThat(server.dirties.get(1).sequence()).isGreaterThan(server.dirties.get(0).sequence());
      assertThat(server.connections).hasValue(1);
    }
  }

  private static byte[] jdkCall(int operation, CallBytes.Arguments arguments) {
    return CallBytes.message(
        Jrmp.CALL,
        null,
        ObjectStreamConstants.PROTOCOL_VERSION_1,
        out -> {
          out.write(ObjIdentifier.DGC.encode());
          out.writeInt(operation);
          out.writeLong(DgcCall.INTERFACE_HASH);
          arguments.writeTo(out);
        });
  }

  /** A stub that this JVM takes for one of a server on that port: reading it calls dirty there. */
  private static Object stubOfObjectAt(int port) throws Exception {
    Nothing object = new Nothing() {};
    Remote stub = UnicastRemoteObject.exportObject(object, 0);
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(stub);
      }
      byte[] marshalled = bytes.toByteArray();
      LiveReference reference = LiveReferenceScan.scan(marshalled, 0, marshalled.length).get(0);
      byte[] id = reference.object().encode();
      int at = indexOf(marshalled, id) - Integer.BYTES;
      ByteBuffer.wrap(marshalled).putInt(at, port);
      try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(marshalled))) {
        return in.readObject();
      }
    } finally {
      UnicastRemoteObject.unexportObject(object, true);
    }
  }

  private static int indexOf(byte[] bytes, byte[] part) {
    for (int i = 0; ; i++) {
      if (Arrays.equals(bytes, i, i + part.length, part, 0, part.length)) {
        return i;
      }
    }
  }

  /** Grants leases as we would; everything else it leaves unanswered. */
  private static final class LeasingServer implements AutoCloseable {
    final List<DgcCall> dirties = new CopyOnWriteArrayList<>();
    final AtomicInteger connections = new AtomicInteger();
    private final ServerSocket listener = new ServerSocket(0, 50, null);
    private final long millis;

    LeasingServer(long millis) throws IOException {
      this.millis = millis;
      start(this::acceptAll);
    }

    int port() {
      return listener.getLocalPort();
    }

    private void acceptAll() {
      while (!listener.isClosed()) {
        try {
          Socket socket = listener.accept();
          connections.incrementAndGet();
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
        new EndpointId(InetAddress.getLoopbackAddress().getHostAddress(), socket.getPort())
            .writeTo(out);
        EndpointId.readFrom(in);
        byte[] piece = new byte[64 * 1024];
        for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
          if (piece[0] == Jrmp.PING) {
            out.writeByte(Jrmp.PING_ACK);
          } else if (DgcCall.decode(piece, 0, count).orElse(null) instanceof DgcCall.Dirty dirty) {
            dirties.add(dirty);
            out.write(LeaseReturn.encode(dirty.client().orElseThrow(), millis));
          } else {
            out.write(LeaseReturn.encodeNothing());
          }
        }
      } catch (IOException over) {
        // The JVM or the test has closed the connection.
      }
    }

    private static void start(Runnable task) {
      Thread thread = new Thread(task, "leasing-server");
      thread.setDaemon(true);
      thread.start();
    }

    @Override
    public void close() throws IOException {
      listener.close();
    }
  }
}
