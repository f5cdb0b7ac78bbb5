package io.rmigate.protocol.jrmp;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.jrmp.MessageEnd.Complete;
import io.rmigate.protocol.jrmp.MessageEnd.Malformed;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.jrmp.message.LiveReferenceScan;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a real server makes of bytes behind, or inside, a Call: the facts {@link MessageGrammar} is
 * built on.
 */
class SmugglingTest {

  interface Counted extends Remote {
    void v() throws RemoteException;

    void take(Object value) throws RemoteException;
  }

  private static final class Counter implements Counted {
    final AtomicInteger calls = new AtomicInteger();
    final AtomicInteger taken = new AtomicInteger();

    @Override
    public void v() {
      calls.incrementAndGet();
    }

    @Override
    public void take(Object value) {
      taken.incrementAndGet();
    }
  }

  private final Counter counter = new Counter();
  private LiveReference reference;
  private byte[] v;

  @BeforeEach
  void export() throws Exception {
    Remote stub = UnicastRemoteObject.exportObject(counter, 0);
    byte[] bytes = CallBytes.callWith(stub);
    reference = LiveReferenceScan.scan(bytes, 0, bytes.length).get(0);
    v = call("v()V", "");
  }

  @AfterEach
  void unexport() throws Exception {
    UnicastRemoteObject.unexportObject(counter, true);
  }

  @Test
  void aSecondCallBehindTheFirstIsExecuted() throws Exception {
    assertThat(send(MessageGrammarCorpusTest.join(v, v))).isTrue();
    await().untilAtomic(counter.calls, org.hamcrest.Matchers.is(2));
  }

  @Test
  void argumentsNobodyAskedForCloseTheConnection() throws Exception {
    byte[] surplus = call("v()V", "740001617070");
    assertThat(MessageGrammar.endOfRequest(surplus, 0, surplus.length))
        .isEqualTo(new Complete(surplus.length));
    assertThat(send(MessageGrammarCorpusTest.join(surplus, v))).isTrue();
    assertThat(counter.calls).hasValue(1);
  }

  @Test
  void aCallInsideARefusedArgumentIsExecutedAndSeen() throws Exception {
    // An Integer of a wrong version, whose one class data are fields that spell a Call. The server
    // answers InvalidClassException and reads on where it stopped: before the fields.
    StringBuilder fields = new StringBuilder();
    for (int i = 0; i < v.length; i++) {
      fields.append("42000161"); // B a
    }
    String integer =
        "73" // object
            + "72" // descriptor
            + "0011"
            + HexFormat.of().formatHex("java.lang.Integer".getBytes(StandardCharsets.US_ASCII))
            + "0000000000000001" // not its serialVersionUID
            + "02"
            + "%04x".formatted(v.length)
            + fields
            + "70" // annotation null
            + "7870"
            + HexFormat.of().formatHex(v);
    byte[] call = call("take(Ljava/lang/Object;)V", integer);
    assertThat(MessageGrammar.endOfRequest(call, 0, call.length))
        .isEqualTo(new Complete(call.length));
    assertThat(MessageGrammar.spellsAnotherCall(call, 0, call.length)).isTrue();
    assertThat(send(call)).isTrue();
    assertThat(counter.taken).hasValue(0);
    await().untilAtomic(counter.calls, org.hamcrest.Matchers.is(1));
  }

  @Test
  void aCallInsideALongBlockOfPrimitivesIsExecutedAndSeen() throws Exception {
    // The server takes up to 1024 bytes of a block at once and leaves the rest unread.
    String header = HexFormat.of().formatHex(v).substring(14);
    String block = header + "00".repeat(1024 - 34) + HexFormat.of().formatHex(v);
    byte[] call =
        HexFormat.of().parseHex("50aced0005" + "7a%08x".formatted(block.length() / 2) + block);
    assertThat(MessageGrammar.endOfRequest(call, 0, call.length))
        .isEqualTo(new Complete(call.length));
    assertThat(MessageGrammar.spellsAnotherCall(call, 0, call.length)).isTrue();
    assertThat(send(call)).isTrue();
    await().untilAtomic(counter.calls, org.hamcrest.Matchers.is(2));
  }

  /** It is taken for the answer to the next Call, once the connection has answered a Ping. */
  @Test
  void aReturnInsideALongBlockOfAReturnIsReadAsTheNextOne() throws Exception {
    byte[] hidden = CallBytes.normalReturn(out -> out.writeObject(new String[] {"hidden"}));
    byte[] block = longBlock(hidden);
    assertThat(MessageGrammar.endOfReply(block, 0, block.length)).isInstanceOf(Malformed.class);
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Socket> answered =
          CompletableFuture.supplyAsync(
              () -> answerOnce(server, block), task -> new Thread(task, "server").start());
      Registry stub =
          LocateRegistry.getRegistry(
              server.getInetAddress().getHostAddress(), server.getLocalPort());
      stub.unbind("any"); // returns nothing
      long then = System.currentTimeMillis();
      await().until(() -> System.currentTimeMillis() - then > 100); // the JDK pings after 10 ms
      assertThat(stub.list()).containsExactly("hidden");
      answered.get().close();
    }
  }

  /** A method that returns a primitive takes it from as many blocks as it needs. */
  @ParameterizedTest
  @ValueSource(strings = {"", "79", "7979"})
  void aReturnIsOneBlock(String between) {
    byte[] two = secondBlock(between, CallBytes.normalReturn(out -> {}));
    assertThat(MessageGrammar.endOfReply(two, 0, two.length)).isInstanceOf(Malformed.class);
    GrowingReturn growing = new GrowingReturn();
    int first = CallBytes.normalReturn(out -> {}).length;
    assertThat(growing.end(two, first)).isEqualTo(new Complete(first));
    assertThat(growing.end(two, first + 1)).isInstanceOf(Malformed.class);
    assertThat(growing.end(two, two.length)).isInstanceOf(Malformed.class);
  }

  /** What the first Call's reader takes, with the rest behind it. */
  private static byte[] longBlock(byte[] hidden) {
    int length = 1024 + 1 + hidden.length;
    ByteBuffer bytes = ByteBuffer.allocate(10 + length).put((byte) Jrmp.RETURN);
    bytes
        .putInt(StreamTokens.STREAM_HEADER)
        .put((byte) StreamTokens.TC_BLOCKDATALONG)
        .putInt(length);
    bytes.put((byte) Jrmp.NORMAL_RETURN).position(10 + 1024);
    return bytes.put((byte) Jrmp.PING_ACK).put(hidden).array();
  }

  /**
   * The first Return's reader goes on to its second block.
   *
   * @param between the blocks, in hexadecimal
   */
  private static byte[] secondBlock(String between, byte[] hidden) {
    byte[] nothing = CallBytes.normalReturn(out -> {});
    byte[] tokens = HexFormat.of().parseHex(between);
    byte[] rest = longBlock(hidden);
    ByteBuffer bytes = ByteBuffer.allocate(nothing.length + tokens.length + rest.length - 5);
    return bytes.put(nothing).put(tokens).put(rest, 5, rest.length - 5).array();
  }

  /** Answers every call of one client with a server's bytes; leaves the connection open. */
  private static Socket answerOnce(ServerSocket server, byte[] answer) {
    try {
      Socket socket = server.accept();
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      DataInputStream in = new DataInputStream(socket.getInputStream());
      in.readNBytes(7);
      out.writeByte(Jrmp.PROTOCOL_ACK);
      new EndpointId("client", 0).writeTo(out);
      EndpointId.readFrom(in);
      in.readByte(); // the Call
      out.write(answer);
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] call(String method, String arguments) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(Jrmp.CALL);
    out.writeInt(StreamTokens.STREAM_HEADER);
    out.writeShort(0x7722);
    out.write(reference.object().encode());
    out.writeInt(Jrmp.OPERATION_BY_HASH);
    out.writeLong(hash(method));
    out.write(HexFormat.of().parseHex(arguments));
    return bytes.toByteArray();
  }

  /** Section 8.3 of the RMI specification. */
  private static long hash(String method) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new DataOutputStream(bytes).writeUTF(method);
    try {
      byte[] digest = java.security.MessageDigest.getInstance("SHA").digest(bytes.toByteArray());
      return Long.reverseBytes(BigEndian.int64(digest, 0));
    } catch (java.security.NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Sends these bytes as one client and waits until the server has nothing more to say. */
  private boolean send(byte[] request) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), reference.port())) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      DataInputStream in = new DataInputStream(socket.getInputStream());
      out.writeInt(Jrmp.MAGIC);
      out.writeShort(Jrmp.VERSION);
      out.writeByte(Jrmp.STREAM_PROTOCOL);
      int ack = in.read();
      EndpointId.readFrom(in);
      new EndpointId("", 0).writeTo(out);
      out.write(request);
      out.flush();
      socket.shutdownOutput();
      in.readAllBytes();
      return ack == Jrmp.PROTOCOL_ACK;
    }
  }
}
