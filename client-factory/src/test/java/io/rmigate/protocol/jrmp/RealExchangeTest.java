package io.rmigate.protocol.jrmp;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.jrmp.MessageEnd.Complete;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.jrmp.message.LiveReferenceScan;
import io.rmigate.protocol.jrmp.message.RegistryCall;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a registry, a remote object and their clients, all the running JDK's, say to each other. */
class RealExchangeTest {

  interface Sample extends Remote {
    void v() throws RemoteException;

    int add(int a, int b) throws RemoteException;

    Object echo(String prefix, Object value, long number) throws RemoteException;

    Sample other() throws RemoteException;

    void fail() throws RemoteException;
  }

  private static final class RealSample implements Sample {
    private final List<Sample> made = new ArrayList<>();

    @Override
    public void v() {}

    @Override
    public int add(int a, int b) {
      return a + b;
    }

    @Override
    public Object echo(String prefix, Object value, long number) {
      return value;
    }

    @Override
    public Sample other() throws RemoteException {
      RealSample other = new RealSample();
      made.add(other);
      UnicastRemoteObject.exportObject(other, 0);
      return other;
    }

    @Override
    public void fail() {
      throw new IllegalStateException("as asked");
    }
  }

  /** Connects through the given port, for one client's view of the server. */
  private record ThroughRelay(int port) implements RMIClientSocketFactory, Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public Socket createSocket(String host, int ignored) throws java.io.IOException {
      return new Socket(InetAddress.getLoopbackAddress(), port);
    }
  }

  /** The one listener that registry, objects and DGC share, as they would on a well-known port. */
  private static final class OneListener implements RMIServerSocketFactory {
    volatile ServerSocket listener;

    @Override
    public ServerSocket createServerSocket(int port) throws java.io.IOException {
      listener = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
      return listener;
    }
  }

  private final OneListener server = new OneListener();
  private Registry registry;
  private RecordingRelay relay;
  private RealSample sample;

  @BeforeEach
  void startServer() throws Exception {
    relay = new RecordingRelay(() -> server.listener.getLocalPort());
    ThroughRelay factory = new ThroughRelay(relay.port());
    registry = LocateRegistry.createRegistry(0, factory, server);
    sample = new RealSample();
    int port = server.listener.getLocalPort();
    registry.rebind("sample", UnicastRemoteObject.exportObject(sample, port, factory, server));
  }

  @AfterEach
  void stopServer() throws Exception {
    UnicastRemoteObject.unexportObject(sample, true);
    for (Sample other : sample.made) {
      UnicastRemoteObject.unexportObject(other, true);
    }
    UnicastRemoteObject.unexportObject(registry, true);
    relay.close();
  }

  @Test
  void registryCallsAreReadAsTheStubWritesThem() throws Exception {
    Registry client = LocateRegistry.getRegistry("127.0.0.1", relay.port());
    Remote stub = client.lookup("sample");
    client.rebind("again", stub);
    client.bind("once", stub);
    client.unbind("once");
    assertThat(client.list()).contains("again");

    List<RegistryCall> calls = new ArrayList<>();
    for (byte[] request : relay.requests()) {
      RegistryCall.decode(request, 0, request.length).ifPresent(calls::add);
    }
    assertThat(calls)
        .containsSubsequence(
            new RegistryCall(RegistryOperation.LOOKUP, Optional.of("sample")),
            new RegistryCall(RegistryOperation.REBIND, Optional.of("again")),
            new RegistryCall(RegistryOperation.BIND, Optional.of("once")),
            new RegistryCall(RegistryOperation.UNBIND, Optional.of("once")),
            new RegistryCall(RegistryOperation.LIST, Optional.empty()));
    byte[] lookup =
        relay.requests().stream()
            .filter(r -> HexFormat.of().formatHex(r).endsWith("740006" + hex("sample")))
            .findFirst()
            .orElseThrow();
    assertThat(HexFormat.of().formatHex(lookup)).isEqualTo(GoldenMessages.LOOKUP_SAMPLE);
  }

  @Test
  void everyMessageEndsWhereTheJdkEndsIt() throws Exception {
    Registry client = LocateRegistry.getRegistry("127.0.0.1", relay.port());
    Sample stub = (Sample) client.lookup("sample");
    exchange(stub);
    for (byte[] request : relay.requests()) {
      assertThat(MessageGrammar.endOfRequest(request, 0, request.length))
          .as(HexFormat.of().formatHex(request))
          .isEqualTo(new Complete(request.length));
    }
    assertThat(relay.replies()).hasSizeGreaterThan(5);
    for (byte[] reply : relay.replies()) {
      assertThat(MessageGrammar.endOfReply(reply, 0, reply.length))
          .as(HexFormat.of().formatHex(reply))
          .isEqualTo(new Complete(reply.length));
    }
  }

  @Test
  void referencesInRepliesAreFound() throws Exception {
    Registry client = LocateRegistry.getRegistry("127.0.0.1", relay.port());
    Sample stub = (Sample) client.lookup("sample");
    stub.other();
    List<LiveReference> found = new ArrayList<>();
    for (byte[] reply : relay.replies()) {
      LiveReferenceScan.scan(reply, 0, reply.length, found::add);
    }
    assertThat(found)
        .extracting(LiveReference::refType)
        .contains(LiveReference.UNICAST_REF, LiveReference.UNICAST_REF2);
    assertThat(found).allSatisfy(r -> assertThat(r.object().objNum()).isNotZero());
  }

  @Test
  void dirtyNamesTheObjectThatWasReturned() throws Exception {
    // An object of the registry's own listener: its DGC passes the relay.
    Registry client =
        LocateRegistry.getRegistry("127.0.0.1", relay.port(), new ThroughRelay(relay.port()));
    client.lookup("sample");
    List<DgcCall> calls = new ArrayList<>();
    for (byte[] request : relay.requests()) {
      DgcCall.decode(request, 0, request.length).ifPresent(calls::add);
    }
    assertThat(calls).isNotEmpty();
    assertThat(calls.get(0)).isInstanceOf(DgcCall.Dirty.class);
    DgcCall.Dirty dirty = (DgcCall.Dirty) calls.get(0);
    assertThat(dirty.objects()).isNotEmpty();
    assertThat(dirty.durationMillis()).isEqualTo(600_000);
    assertThat(dirty.client()).isPresent();
    await()
        .until(
            () -> relay.requests().stream().anyMatch(r -> r.length == 15 && r[0] == Jrmp.DGC_ACK));
  }

  private void exchange(Sample stub) throws RemoteException {
    stub.v();
    assertThat(stub.add(1, 2)).isEqualTo(3);
    for (Object value : new Object[] {null, "x", LocalDate.EPOCH, List.of(1, "b"), sample}) {
      Object back = stub.echo("p", value, 7);
      assertThat(Objects.isNull(back)).isEqualTo(value == null);
    }
    stub.echo("p", ZonedDateTime.now(ZoneOffset.UTC), 7);
    stub.other();
    try {
      stub.fail();
    } catch (IllegalStateException expected) {
      assertThat(expected).hasMessage("as asked");
    }
  }

  private static String hex(String ascii) {
    return HexFormat.of().formatHex(ascii.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
  }
}
