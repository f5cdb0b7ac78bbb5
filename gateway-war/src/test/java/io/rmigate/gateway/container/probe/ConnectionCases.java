package io.rmigate.gateway.container.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.sample.Hello;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.net.InetAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.rmi.ConnectException;
import java.rmi.ConnectIOException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.ObjID;
import java.rmi.server.RMISocketFactory;
import java.rmi.server.UID;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Reaching servers, not reaching them, and reaching them very often. */
final class ConnectionCases {
  private static final int DRIVERS = 8;

  private final Inside inside;

  ConnectionCases(Inside inside) {
    this.inside = inside;
  }

  /** What makes the other cases mean anything: this JVM could not connect by itself. */
  @Case(on = {Way.TUNNEL, Way.TUNNEL_OVER_TLS, Way.SIDECAR})
  void theClientCannotResolveTheServer() {
    assertThatThrownBy(() -> InetAddress.getByName(inside.host()))
        .isInstanceOf(UnknownHostException.class);
  }

  @Case
  void deadServersAreConnectExceptions() {
    assertThatThrownBy(() -> LocateRegistry.getRegistry(inside.host(), inside.deadPort()).list())
        .isExactlyInstanceOf(ConnectException.class)
        .hasCauseInstanceOf(java.net.ConnectException.class);
  }

  @Case
  void unknownHostsAreUnknownHostExceptions() {
    assertThatThrownBy(() -> LocateRegistry.getRegistry(inside.missingHost(), 1099).list())
        .isExactlyInstanceOf(java.rmi.UnknownHostException.class)
        .hasCauseInstanceOf(UnknownHostException.class);
  }

  @Case
  void serversThatAreNotJrmpAreConnectIoExceptions() {
    assertThatThrownBy(() -> LocateRegistry.getRegistry(inside.host(), inside.foreignPort()).list())
        .isExactlyInstanceOf(ConnectIOException.class);
  }

  /** A target that no policy allows looks like a dead server. It looks like a dead server. */
  @Case(on = {Way.TUNNEL, Way.TUNNEL_OVER_TLS, Way.SIDECAR})
  void targetsThatAreNotAllowedCannotBeReached() {
    assertThatThrownBy(
            () ->
                LocateRegistry.getRegistry(inside.forbiddenHost(), inside.samplePort())
                    .lookup(Hello.NAME))
        .isExactlyInstanceOf(ConnectException.class);
  }

  /**
   * Each on a fresh connection, as clients make them that come and go: handshake, one call of the
   * registry's list, end. Driven below RMI, whose pool would reuse connections.
   */
  @Case(on = {Way.PLAIN_RMI, Way.TUNNEL, Way.SIDECAR})
  void thousandsOfConnectionsAreServed() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(DRIVERS);
    try {
      List<Future<Integer>> drivers = new ArrayList<>();
      for (int i = 0; i < DRIVERS; i++) {
        drivers.add(pool.submit(() -> connect(inside.connects() / DRIVERS)));
      }
      int served = 0;
      for (Future<Integer> driver : drivers) {
        served += driver.get();
      }
      assertThat(served).isEqualTo(inside.connects() / DRIVERS * DRIVERS);
    } finally {
      pool.shutdownNow();
    }
  }

  private int connect(int times) throws Exception {
    for (int i = 0; i < times; i++) {
      try (Socket socket =
          RMISocketFactory.getDefaultSocketFactory()
              .createSocket(inside.host(), inside.samplePort())) {
        assertThat(list(socket)).contains(Hello.NAME);
      }
    }
    return times;
  }

  /** RMI specification, section 10.2: header, handshake, one Call of {@code Registry.list}. */
  private static String[] list(Socket socket) throws IOException, ClassNotFoundException {
    DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    out.writeInt(0x4a524d49); // "JRMI"
    out.writeShort(2); // version
    out.writeByte(0x4b); // StreamProtocol
    out.flush();
    assertThat(in.readByte()).isEqualTo((byte) 0x4e); // ProtocolAck
    in.readUTF();
    in.readInt();
    out.writeUTF("probe");
    out.writeInt(0);
    out.writeByte(0x50); // Call
    ObjectOutputStream call = new ObjectOutputStream(out);
    new ObjID(ObjID.REGISTRY_ID).write(call);
    call.writeInt(1); // list
    call.writeLong(4905912898345647071L); // interface hash of the registry
    call.flush();
    assertThat(in.readByte()).isEqualTo((byte) 0x51); // ReturnData
    ObjectInputStream result = new AnnotatedInput(in);
    assertThat(result.readByte()).isEqualTo((byte) 1); // NormalReturn
    UID.read(result);
    return (String[]) result.readObject();
  }

  /** RMI writes an annotation after every class descriptor (JRMP.md 3.3). */
  private static final class AnnotatedInput extends ObjectInputStream {
    AnnotatedInput(DataInputStream in) throws IOException {
      super(in);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass descriptor)
        throws IOException, ClassNotFoundException {
      readObject();
      return super.resolveClass(descriptor);
    }
  }
}
