package io.rmigate.gateway.container.callbacks;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.rmi.server.ObjID;
import java.rmi.server.RemoteObjectInvocationHandler;
import java.rmi.server.UID;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * What a hostile server does with two bells of a client: rings the one, in a Call whose only block
 * is longer than the header. The RMI runtime reads blocks in pieces of 1024 bytes, and of this one
 * no second piece, since the method has no parameters: the rest spells a Call that rings the other.
 */
final class HiddenCall {
  private static final int PIECE_BYTES = 1024;

  private final String host;
  private final int port;
  private final ObjID id;

  private HiddenCall(Bell bell) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      ((RemoteObjectInvocationHandler) Proxy.getInvocationHandler(bell))
          .getRef()
          .writeExternal(out);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      host = in.readUTF();
      port = in.readInt();
      id = ObjID.read(in);
    }
  }

  /** Does so, rings the first one once more, and tells what has been answered. */
  static String send(Bell rung, Bell hidden) throws Exception {
    HiddenCall open = new HiddenCall(rung);
    byte[] inner = new HiddenCall(hidden).call(new byte[0]);
    byte[] padding = new byte[PIECE_BYTES - open.header().length];
    byte[] both = Arrays.copyOf(padding, padding.length + inner.length);
    System.arraycopy(inner, 0, both, padding.length, inner.length);
    try (Socket socket = new Socket(open.host, open.port)) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.write(new byte[] {'J', 'R', 'M', 'I', 0, 2, 0x4B});
      in.readByte();
      in.readUTF();
      in.readInt();
      out.writeUTF("");
      out.writeInt(0);
      out.write(open.call(both));
      String first = answer(in);
      out.write(open.call(new byte[0]));
      return first + ", " + answer(in);
    }
  }

  private byte[] header() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      id.write(out);
    }
    byte[] identifier = Arrays.copyOfRange(bytes.toByteArray(), 6, bytes.size());
    ByteArrayOutputStream name = new ByteArrayOutputStream();
    new DataOutputStream(name).writeUTF("ring()Ljava/lang/String;");
    byte[] hash = MessageDigest.getInstance("SHA").digest(name.toByteArray());
    return ByteBuffer.allocate(identifier.length + 4 + 8)
        .put(identifier)
        .putInt(-1)
        .putLong(ByteBuffer.wrap(hash).order(ByteOrder.LITTLE_ENDIAN).getLong())
        .array();
  }

  private byte[] call(byte[] arguments) throws Exception {
    byte[] header = header();
    return ByteBuffer.allocate(1 + 4 + 1 + 4 + header.length + arguments.length)
        .put((byte) 0x50)
        .putInt(0xACED0005)
        .put((byte) 0x7A)
        .putInt(header.length + arguments.length)
        .put(header)
        .put(arguments)
        .array();
  }

  private static String answer(DataInputStream in) throws Exception {
    if (in.readByte() != 0x51) {
      throw new IOException("no Return");
    }
    ObjectInputStream answer = new ObjectInputStream(in);
    answer.readByte();
    UID.read(answer);
    return answer.readObject().toString();
  }
}
