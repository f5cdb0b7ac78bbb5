package io.rmigate.gateway.session;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.MessageGrammar;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.LiveReference;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A real RMI server of the JDK in this JVM: a registry and a {@link Ledger} bound in it as {@code
 * "ledger"}, both on one free port of loopback. Counts executions and accepted connections.
 */
final class LedgerServer implements AutoCloseable {
  private final Sockets sockets = new Sockets();
  private final Registry registry;
  private final Counting counting = new Counting();
  private final Remote stub;
  private final ObjIdentifier object;

  LedgerServer() throws Exception {
    registry = LocateRegistry.createRegistry(0, null, sockets);
    stub = UnicastRemoteObject.exportObject(counting, port(), null, sockets);
    object = Calls.reference(stub).object();
    registry.rebind("ledger", stub);
  }

  int port() {
    return sockets.listener.getLocalPort();
  }

  /** Names in the registry, asked without a connection. */
  List<String> bound() throws Exception {
    return List.of(registry.list());
  }

  /** What "ledger" is bound to, asked without a connection. */
  LiveReference ledgerReference() throws Exception {
    return Calls.reference(registry.lookup("ledger"));
  }

  /** Binds without a connection. */
  void rebind(String name, Remote bound) throws Exception {
    registry.rebind(name, bound);
  }

  Remote stub() {
    return stub;
  }

  byte[] execute(String id) {
    return Calls.method(object, "execute(Ljava/lang/String;)I", out -> out.writeObject(id));
  }

  byte[] tick() {
    return Calls.method(object, "tick()V", out -> {});
  }

  byte[] take(Calls.Arguments value) {
    return Calls.method(object, "take(Ljava/lang/Object;)V", value);
  }

  byte[] takeRaw(String hex) {
    return Calls.methodWithRawArguments(object, "take(Ljava/lang/Object;)V", hex);
  }

  byte[] swallow(byte[] bytes) {
    return Calls.method(object, "swallow([B)I", out -> out.writeObject(bytes));
  }

  byte[] give(int bytes) {
    return Calls.method(object, "give(I)[B", out -> out.writeInt(bytes));
  }

  byte[] await() {
    return Calls.method(object, "await()V", out -> {});
  }

  ObjIdentifier object() {
    return object;
  }

  int executions(String id) {
    AtomicInteger count = counting.byId.get(id);
    return count == null ? 0 : count.get();
  }

  int ticks() {
    return counting.ticks.get();
  }

  int taken() {
    return counting.taken.get();
  }

  int waiting() {
    return counting.waiting.get();
  }

  /** Lets {@link Ledger#await} return, now and from now on. */
  void openGate() {
    counting.gate.countDown();
  }

  int accepted() {
    return sockets.accepted.size();
  }

  boolean allConnectionsClosed() {
    return sockets.accepted.stream().allMatch(Socket::isClosed);
  }

  /** Closes the oldest connection from the server's side. */
  void dropFirstConnection() throws IOException {
    sockets.accepted.get(0).close();
  }

  /** Closes every connection from the server's side. */
  void dropConnections() throws IOException {
    for (Socket socket : sockets.accepted) {
      socket.close();
    }
  }

  /** The Return that a plain JRMP client gets for this Call. */
  byte[] plainly(byte[] call) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
      socket.setSoTimeout(60_000);
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      DataInputStream in = new DataInputStream(socket.getInputStream());
      out.writeInt(Jrmp.MAGIC);
      out.writeShort(Jrmp.VERSION);
      out.writeByte(Jrmp.STREAM_PROTOCOL);
      in.readByte();
      EndpointId.readFrom(in);
      new EndpointId("", 0).writeTo(out);
      out.write(call);
      ByteArrayOutputStream reply = new ByteArrayOutputStream();
      do {
        reply.write(in.readByte());
      } while (!(MessageGrammar.endOfReply(reply.toByteArray(), 0, reply.size())
              instanceof MessageEnd.Complete)
          || in.available() > 0);
      return reply.toByteArray();
    }
  }

  @Override
  public void close() throws IOException {
    openGate();
    UnicastRemoteObject.unexportObject(counting, true);
    UnicastRemoteObject.unexportObject(registry, true);
    sockets.listener.close();
    dropConnections();
  }

  private static final class Counting implements Ledger {
    final Map<String, AtomicInteger> byId = new ConcurrentHashMap<>();
    final AtomicInteger ticks = new AtomicInteger();
    final AtomicInteger taken = new AtomicInteger();
    final AtomicInteger waiting = new AtomicInteger();
    final CountDownLatch gate = new CountDownLatch(1);

    @Override
    public int execute(String id) {
      return byId.computeIfAbsent(id, name -> new AtomicInteger()).incrementAndGet();
    }

    @Override
    public void tick() {
      ticks.incrementAndGet();
    }

    @Override
    public void take(Object value) {
      taken.incrementAndGet();
    }

    @Override
    public int swallow(byte[] bytes) {
      return bytes.length;
    }

    @Override
    public byte[] give(int bytes) {
      return new byte[bytes];
    }

    @Override
    public void await() {
      waiting.incrementAndGet();
      try {
        gate.await();
      } catch (InterruptedException stop) {
        Thread.currentThread().interrupt();
      } finally {
        waiting.decrementAndGet();
      }
    }
  }

  /** One listening socket for all exports of this server; keeps what it accepts. */
  private static final class Sockets implements RMIServerSocketFactory {
    final List<Socket> accepted = new CopyOnWriteArrayList<>();
    volatile ServerSocket listener;

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
      listener =
          new ServerSocket(port, 50, InetAddress.getLoopbackAddress()) {
            @Override
            public Socket accept() throws IOException {
              Socket socket = super.accept();
              accepted.add(socket);
              return socket;
            }
          };
      return listener;
    }
  }
}
