package io.rmigate.client.callback;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.client.config.ExportPorts;
import io.rmigate.client.config.LeaseMode;
import io.rmigate.client.mediator.LookupSettings;
import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.client.mediator.MediatorSettings;
import io.rmigate.protocol.NamePatterns;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.LiveReferenceScan;
import io.rmigate.protocol.tunnel.Accept;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Hold;
import io.rmigate.protocol.tunnel.Listen;
import io.rmigate.protocol.tunnel.Listening;
import io.rmigate.protocol.tunnel.Release;
import io.rmigate.protocol.tunnel.Unlisten;
import io.rmigate.testing.FakeGateway;
import io.rmigate.testing.FakeGateway.Connection;
import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.net.InetAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.RemoteServer;
import java.rmi.server.ServerNotActiveException;
import java.rmi.server.UnicastRemoteObject;
import java.rmi.server.Unreferenced;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The RMI runtime of this JVM with an object exported at a scripted gateway. */
@Timeout(180)
class RealRuntimeTest {
  private static final int PORT = 40_001;
  private static final String PEER = "10.1.2.3";

  /** What the gateway says before another message of the same inner JVM. */
  private static final Data END = new Data(2, true, new byte[0]);

  private static final byte[] ACK = Arrays.copyOf(new byte[] {Jrmp.DGC_ACK}, 1 + Jrmp.UID_BYTES);

  private final FakeGateway gateway = new FakeGateway();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Exported exported = new Exported();
  private MediatorAgent agent;
  private Connection link;
  private ObjIdentifier id;

  /** What is called. */
  interface Callable extends Remote {
    /** Its hash is known by heart. */
    void v() throws RemoteException;
  }

  private static final class Exported implements Callable, Unreferenced {
    private final AtomicInteger unreferenced = new AtomicInteger();
    private final AtomicInteger calls = new AtomicInteger();
    private volatile String caller;

    @Override
    public void v() {
      calls.incrementAndGet();
      try {
        caller = RemoteServer.getClientHost();
      } catch (ServerNotActiveException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void unreferenced() {
      unreferenced.incrementAndGet();
    }
  }

  @BeforeEach
  void export() throws Exception {
    gateway.welcome(FakeGateway.welcomeTaking(Map.of(), Feature.CALLBACKS));
    agent =
        new MediatorAgent(
            gateway,
            MediatorSettings.of(PATIENCE, Map.of(), Compression.OFF)
                .mediating(new LookupSettings(false, NamePatterns.NONE, List.of()), LeaseMode.OFF)
                .withCallbacks(new CallbackSettings(ports(), Optional.empty())));
    RMIServerSocketFactory atGateway = port -> agent.callbacks().listen(port).orElseThrow();
    Future<Remote> stub =
        threads.submit(() -> UnicastRemoteObject.exportObject(exported, PORT, null, atGateway));
    link = gateway.accept();
    assertThat(link.expect(Listen.class)).isEqualTo(new Listen(1, PORT));
    link.send(Listening.on(1, PORT));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(stub.get());
    }
    id = LiveReferenceScan.scan(bytes.toByteArray(), 0, bytes.size()).get(0).object();
  }

  private static ExportPorts ports() {
    return ClientConfig.builder()
        .gateways(URI.create("http://gw"))
        .set(ConfigKey.EXPORT, Integer.toString(PORT))
        .build()
        .exports();
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    UnicastRemoteObject.unexportObject(exported, true);
    link.expect(Unlisten.class); // the RMI runtime has closed the listener
    agent.close();
    threads.shutdown();
    await().until(threads::isTerminated);
    await()
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(
                        thread ->
                            thread.getName().startsWith("rmigate-")
                                || thread.getName().equals("TCP Accept-" + PORT)));
  }

  @Test
  void callsAreExecutedAndEachReturnIsOneFrame() throws Exception {
    Frame accept = new Accept(2, 1, InetAddress.getByName(PEER), 5_000);
    link.send(accept, new Data(2, false, call()));
    for (int i = 0; i < 3; i++) {
      byte[] message = link.expect(Data.class).bytes();
      assertThat(HexFormat.of().formatHex(message)).matches("51aced0005770f01[0-9a-f]{28}");
      link.send(END, new Data(2, false, call()));
    }
    link.expect(Data.class);
    assertThat(exported.caller).isEqualTo(PEER);
    assertThat(agent.account().sums().callbacks()).isEqualTo(4);
  }

  /**
   * The RMI runtime reads a block in pieces of 1024 bytes, and of a Call that it refuses no more
   * than one: so its method gets no argument, or there is no such object, and the rest spells
   * another Call.
   */
  @Test
  void whatACallHidesBehindWhereItsReaderStopsIsNotExecuted() throws Exception {
    link.send(new Accept(2, 1, InetAddress.getByName(PEER), 5_000));
    for (ObjIdentifier called : List.of(id, new ObjIdentifier(1, 2, 3, (short) 4))) {
      int before = exported.calls.get();
      byte[] hiding = hiding(called, call());
      link.send(new Data(2, false, hiding));
      link.expect(Data.class);
      // the rest of one that was answered before it had come
      link.send(END, new Data(2, false, Arrays.copyOf(hiding, 10 + 1024)));
      link.expect(Data.class);
      link.send(new Data(2, false, call()));
      link.send(END, new Data(2, true, ACK), new Data(2, false, call()));
      link.expect(Data.class);
      link.send(END);
      assertThat(exported.calls.get() - before).isEqualTo(called.equals(id) ? 3 : 1);
    }
    assertThat(link.unexpected()).isEmpty();
  }

  /** A Call whose only block is longer than its header, and ends with that. */
  private static byte[] hiding(ObjIdentifier called, byte[] hidden) {
    byte[] header = HexFormat.of().parseHex(hexOf(called));
    return ByteBuffer.allocate(10 + 1024 + hidden.length)
        .put(HexFormat.of().parseHex("50aced00057a"))
        .putInt(1024 + hidden.length)
        .put(header, 7, Jrmp.CALL_HEADER_BYTES)
        .position(10 + 1024)
        .put(hidden)
        .array();
  }

  @Test
  void objectsAreReferencedAsLongAsTheGatewaySays() throws Exception {
    link.send(new Hold(1, List.of(id)));
    link.send(new Release(1, List.of(id)));
    await().until(() -> exported.unreferenced.get() == 1);

    link.send(new Hold(1, List.of(id)));
    // what comes behind the hold is seen only when it has been carried out
    link.send(
        new Accept(2, 1, InetAddress.getByName(PEER), 5_000),
        new Data(2, false, call()),
        new Release(1, List.of(id)));
    link.expect(Data.class);
    await().until(() -> exported.unreferenced.get() == 2);
  }

  private byte[] call() {
    String hex = hexOf(id);
    assertThat(hex).hasSize(2 * (7 + Jrmp.CALL_HEADER_BYTES));
    return HexFormat.of().parseHex(hex);
  }

  private static String hexOf(ObjIdentifier called) {
    return "50aced00057722"
        + HexFormat.of().formatHex(called.encode())
        + "ffffffff9c9e6b1308366dda";
  }
}
