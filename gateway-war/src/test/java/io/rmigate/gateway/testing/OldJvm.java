package io.rmigate.gateway.testing;

import io.rmigate.testing.MarshalStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.rmi.dgc.Lease;
import java.rmi.dgc.VMID;
import java.rmi.server.ObjID;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;

/**
 * A client as JDK 8 and older are, with the HTTP tunnelling that has gone from later ones: written
 * from the description of the wire (RMI specification, sections 10.2 and 10.5; RFC 9112), with
 * neither an RMI runtime nor an HTTP client, and nothing of the gateway's. One POST on one
 * connection for each message.
 */
public final class OldJvm {
  private static final byte[] SINGLE_OP = HexFormat.of().parseHex("4a524d4900024c");
  private static final int SOON_MILLIS = 60_000;
  private static final long REGISTRY_HASH = 4905912898345647071L;
  private static final long DGC_HASH = -669196253586618813L;
  private static final byte[] REGISTRY = new byte[22];
  private static final byte[] COLLECTOR = new byte[22];

  static {
    COLLECTOR[7] = 2;
  }

  /**
   * An answer of HTTP.
   *
   * @param body as it was meant, without chunks
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Answer(int status, String contentType, byte[] body) {

    /** Whether it holds a Return with an exception of that class, or one caused by it. */
    public boolean isThrown(Class<? extends Exception> type) {
      return body.length > 8 && body[7] == 2 && text().contains(type.getName());
    }

    /** Whether it is the Return of something. */
    public boolean isReturned() {
      return body.length > 8 && body[0] == 0x51 && body[7] == 1;
    }

    /** The bytes as characters, for what is to be found in them. */
    public String text() {
      return new String(body, StandardCharsets.ISO_8859_1);
    }

    /** What its DgcAck has to bear. */
    public byte[] uid() {
      return Arrays.copyOfRange(body, 8, 22);
    }

    /** A primitive result. */
    public int asInt() {
      return ByteBuffer.wrap(body, 22, 4).getInt();
    }
  }

  /**
   * A stub, as far as it matters.
   *
   * @param object 22 bytes
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Stub(String host, int port, byte[] object) {

    /** The first one in an answer. */
    public static Stub in(Answer answer) {
      String text = answer.text();
      int at = text.indexOf("UnicastRef");
      if (at < 0) {
        throw new AssertionError("no stub in: " + text);
      }
      boolean second = text.startsWith("UnicastRef2", at);
      int from = at + (second ? "UnicastRef2".length() + 1 : "UnicastRef".length());
      ByteBuffer in = ByteBuffer.wrap(answer.body(), from, answer.body().length - from);
      byte[] host = new byte[in.getShort()];
      in.get(host);
      int port = in.getInt();
      byte[] object = new byte[22];
      in.get(object);
      return new Stub(new String(host, StandardCharsets.US_ASCII), port, object);
    }
  }

  /** Writes arguments. */
  public interface Arguments {
    /** Behind the header of the Call. */
    void writeTo(ObjectOutputStream out) throws IOException;
  }

  private final InetAddress gateway;
  private final int port;
  private final VMID id = new VMID();
  private long sequence = Long.MIN_VALUE;

  /** Connects to that port of loopback for all URLs. */
  public OldJvm(int port) {
    this.gateway = InetAddress.getLoopbackAddress();
    this.port = port;
  }

  // ---- messages

  /** A Call by the hash of {@code name(descriptor)}. */
  public static byte[] call(Stub stub, String method, Arguments arguments) {
    return message(0x50, stub.object(), -1, hash(method), arguments);
  }

  /** Operation 2 of a registry. */
  public static byte[] lookup(String name) {
    return message(0x50, REGISTRY, 2, REGISTRY_HASH, out -> out.writeObject(name));
  }

  /** Operation 4 of a registry. */
  public static byte[] unbind(String name) {
    return message(0x50, REGISTRY, 4, REGISTRY_HASH, out -> out.writeObject(name));
  }

  /** Takes objects, or renews the lease. */
  public byte[] dirty(Stub... stubs) {
    ObjID[] ids = ids(stubs);
    long number = sequence++;
    return message(
        0x50,
        COLLECTOR,
        1,
        DGC_HASH,
        out -> {
          out.writeObject(ids);
          out.writeLong(number);
          out.writeObject(new Lease(id, 600_000));
        });
  }

  /** Lets objects go. */
  public byte[] clean(Stub... stubs) {
    ObjID[] ids = ids(stubs);
    long number = sequence++;
    return message(
        0x50,
        COLLECTOR,
        0,
        DGC_HASH,
        out -> {
          out.writeObject(ids);
          out.writeLong(number);
          out.writeObject(id);
          out.writeBoolean(false);
        });
  }

  private static ObjID[] ids(Stub... stubs) {
    return Arrays.stream(stubs).map(OldJvm::id).toArray(ObjID[]::new);
  }

  private static ObjID id(Stub stub) {
    try (ObjectInputOfBytes in = new ObjectInputOfBytes(stub.object())) {
      return ObjID.read(in);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Just enough of an ObjectInput for {@link ObjID#read}. */
  private static final class ObjectInputOfBytes extends java.io.ObjectInputStream {
    private final DataInputStream in;

    ObjectInputOfBytes(byte[] bytes) throws IOException {
      this.in = new DataInputStream(new java.io.ByteArrayInputStream(bytes));
    }

    @Override
    public long readLong() throws IOException {
      return in.readLong();
    }

    @Override
    public int readInt() throws IOException {
      return in.readInt();
    }

    @Override
    public short readShort() throws IOException {
      return in.readShort();
    }

    @Override
    public void close() {}
  }

  /** Says that what a Return has brought is registered. */
  public static byte[] ack(byte[] uid) {
    byte[] message = new byte[1 + uid.length];
    message[0] = 0x54;
    System.arraycopy(uid, 0, message, 1, uid.length);
    return singleOp(message);
  }

  /** Is anybody there? */
  public static byte[] ping() {
    return singleOp(new byte[] {0x52});
  }

  private static byte[] message(
      int code, byte[] object, int operation, long hash, Arguments arguments) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(code);
    try (MarshalStream out = new MarshalStream(bytes)) {
      out.write(object);
      out.writeInt(operation);
      out.writeLong(hash);
      arguments.writeTo(out);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return singleOp(bytes.toByteArray());
  }

  private static byte[] singleOp(byte[] message) {
    byte[] body = Arrays.copyOf(SINGLE_OP, SINGLE_OP.length + message.length);
    System.arraycopy(message, 0, body, SINGLE_OP.length, message.length);
    return body;
  }

  private static long hash(String method) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      new DataOutputStream(bytes).writeUTF(method);
      byte[] digest = MessageDigest.getInstance("SHA").digest(bytes.toByteArray());
      return ByteBuffer.wrap(digest).order(ByteOrder.LITTLE_ENDIAN).getLong();
    } catch (NoSuchAlgorithmException | IOException impossible) {
      throw new AssertionError(impossible);
    }
  }

  // ---- HTTP

  /** HTTP-to-port: the client believes that it speaks to the RMI server. */
  public Answer toPort(String host, int rmiPort, byte[] body) throws IOException {
    return post("/", host + ":" + rmiPort, body);
  }

  /** HTTP-to-port with {@code http.proxyHost}: it believes that the gateway is a proxy. */
  public Answer toPortByProxy(String host, int rmiPort, byte[] body) throws IOException {
    String authority = host + ":" + rmiPort;
    return post("http://" + authority + "/", authority, body);
  }

  /** HTTP-to-CGI: it believes to speak to a web server on the RMI server's host. */
  public Answer toCgi(String host, int rmiPort, byte[] body) throws IOException {
    return post("/cgi-bin/java-rmi.cgi?forward=" + rmiPort, host, body);
  }

  /** HTTP-to-CGI by a proxy. */
  public Answer toCgiByProxy(String host, int rmiPort, byte[] body) throws IOException {
    return post("http://" + host + "/cgi-bin/java-rmi.cgi?forward=" + rmiPort, host, body);
  }

  /** As {@code HttpURLConnection} writes it, with these lines more. */
  public Answer post(String target, String host, byte[] body, String... more) throws IOException {
    try (Socket socket = begin(target, host, body, more)) {
      return answer(socket.getInputStream());
    }
  }

  /** Sends a POST without waiting for the answer. */
  public Socket begin(String target, String host, byte[] body, String... more) throws IOException {
    return begin(target, host, body, body.length, more);
  }

  /** Sends a POST with at most {@code bytes} bytes of the body. */
  public Socket begin(String target, String host, byte[] body, int bytes, String... more)
      throws IOException {
    String type =
        Arrays.stream(more).anyMatch(line -> line.startsWith("Content-type"))
            ? ""
            : "Content-type: application/octet-stream\r\n";
    String head =
        "POST "
            + target
            + " HTTP/1.1\r\n"
            + type
            + "Cache-Control: no-cache\r\nPragma: no-cache\r\nUser-Agent: Java/1.8.0_252\r\n"
            + ("Host: " + host + "\r\n")
            + "Accept: text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2\r\n"
            + "Connection: keep-alive\r\n"
            + Arrays.stream(more).map(line -> line + "\r\n").reduce("", String::concat)
            + ("Content-Length: " + body.length + "\r\n\r\n");
    Socket socket = new Socket(gateway, port);
    socket.setSoTimeout(SOON_MILLIS);
    socket.setTcpNoDelay(true);
    OutputStream out = socket.getOutputStream();
    out.write(head.getBytes(StandardCharsets.US_ASCII));
    out.write(body, 0, bytes);
    out.flush();
    return socket;
  }

  /** Reads the head of an answer, and what is behind it. */
  public static Answer answer(InputStream from) throws IOException {
    DataInputStream in = new DataInputStream(from);
    int status = Integer.parseInt(line(in).substring(9, 12));
    String type = "";
    int length = -1;
    boolean chunked = false;
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      String lower = line.toLowerCase(Locale.ROOT);
      String value = line.substring(line.indexOf(':') + 1).strip();
      if (lower.startsWith("content-type:")) {
        type = value;
      } else if (lower.startsWith("content-length:")) {
        length = Integer.parseInt(value);
      } else if (lower.startsWith("transfer-encoding:")) {
        chunked = value.equals("chunked");
      }
    }
    byte[] body = chunked ? chunks(in) : length >= 0 ? in.readNBytes(length) : in.readAllBytes();
    return new Answer(status, type, body);
  }

  private static byte[] chunks(DataInputStream in) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      int size = Integer.parseInt(line(in), 16);
      body.write(in.readNBytes(size));
      line(in);
      if (size == 0) {
        return body.toByteArray();
      }
    }
  }

  private static String line(DataInputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.readUnsignedByte(); next != '\n'; next = in.readUnsignedByte()) {
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }
}
