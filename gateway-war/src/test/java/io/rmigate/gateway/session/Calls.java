package io.rmigate.gateway.session;

import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.jrmp.message.LiveReferenceScan;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import io.rmigate.testing.MarshalStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.rmi.Remote;
import java.rmi.server.RemoteObjectInvocationHandler;
import java.rmi.server.RemoteRef;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Calls as a JDK client writes them, and some that it never would. */
final class Calls {

  /** Writes what follows the header of a Call. */
  interface Arguments {
    void writeTo(ObjectOutputStream out) throws IOException;
  }

  static byte[] list() {
    return registry(RegistryOperation.LIST, out -> {});
  }

  static byte[] lookup(String name) {
    return registry(RegistryOperation.LOOKUP, out -> out.writeObject(name));
  }

  static byte[] rebind(String name, Remote stub) {
    return registry(
        RegistryOperation.REBIND,
        out -> {
          out.writeObject(name);
          out.writeObject(stub);
        });
  }

  /** By operation number, as the stock stub does. */
  static byte[] registry(RegistryOperation operation, Arguments arguments) {
    return call(
        ObjIdentifier.REGISTRY, operation.number(), RegistryOperation.INTERFACE_HASH, arguments);
  }

  /** By method hash, as dynamic proxies do. */
  static byte[] registryByHash(RegistryOperation operation, Arguments arguments) {
    return call(ObjIdentifier.REGISTRY, Jrmp.OPERATION_BY_HASH, operation.methodHash(), arguments);
  }

  /** A Call of {@code method}, name and descriptor, at an object. */
  static byte[] method(ObjIdentifier object, String method, Arguments arguments) {
    return call(object, Jrmp.OPERATION_BY_HASH, hash(method), arguments);
  }

  static byte[] call(ObjIdentifier object, int operation, long hash, Arguments arguments) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(Jrmp.CALL);
    try (MarshalStream out = new MarshalStream(bytes)) {
      out.write(object.encode());
      out.writeInt(operation);
      out.writeLong(hash);
      arguments.writeTo(out);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  /** A Call whose arguments are these bytes behind the header block. */
  static byte[] methodWithRawArguments(ObjIdentifier object, String method, String hex) {
    return join(method(object, method, out -> {}), HexFormat.of().parseHex(hex));
  }

  /** A Return with a value. */
  static byte[] returned(Object value) {
    return result(Jrmp.NORMAL_RETURN, value);
  }

  /** A Return of nothing whose block has more than the JDK reads of it at once: another Return. */
  static byte[] returnHiding(byte[] another) {
    int length = 1024 + 1 + another.length;
    ByteBuffer bytes = ByteBuffer.allocate(10 + length).put((byte) Jrmp.RETURN);
    bytes.putInt(0xACED0005).put(ObjectStreamConstants.TC_BLOCKDATALONG).putInt(length);
    bytes.put((byte) Jrmp.NORMAL_RETURN).position(10 + 1024);
    return bytes.put((byte) Jrmp.PING_ACK).put(another).array();
  }

  /** A Return with an exception. */
  static byte[] thrown(Exception thrown) {
    return result(Jrmp.EXCEPTIONAL_RETURN, thrown);
  }

  /** What a whole Return has thrown. */
  static Throwable thrownIn(byte[] returned) throws Exception {
    return thrownIn(new ByteArrayInputStream(returned));
  }

  /** What the Return has thrown that comes next; nothing behind it is read. */
  static Throwable thrownIn(InputStream in) throws Exception {
    if (in.read() != Jrmp.RETURN) {
      throw new AssertionError("no Return comes");
    }
    ObjectInputStream objects = new ObjectInputStream(in);
    if (objects.readByte() != Jrmp.EXCEPTIONAL_RETURN) {
      throw new AssertionError("nothing was thrown");
    }
    objects.readNBytes(Jrmp.UID_BYTES);
    return (Throwable) objects.readObject();
  }

  private static byte[] result(int kind, Object value) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      bytes.write(Jrmp.RETURN);
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeByte(kind);
        out.write(new byte[Jrmp.UID_BYTES]);
        out.writeObject(value);
      }
      return bytes.toByteArray();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** A DgcAck for a UID of zeros, {@code length} bytes long. */
  static byte[] dgcAck(int length) {
    byte[] bytes = new byte[length];
    bytes[0] = Jrmp.DGC_ACK;
    return bytes;
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  /** Section 8.3 of the RMI specification. */
  static long hash(String method) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      new DataOutputStream(bytes).writeUTF(method);
      byte[] digest = MessageDigest.getInstance("SHA").digest(bytes.toByteArray());
      return ByteBuffer.wrap(digest).order(ByteOrder.LITTLE_ENDIAN).getLong();
    } catch (NoSuchAlgorithmException | IOException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** What a stub refers to. */
  static LiveReference reference(Remote stub) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (MarshalStream out = new MarshalStream(bytes)) {
      out.writeObject(stub);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return LiveReferenceScan.scan(bytes.toByteArray(), 0, bytes.size()).get(0);
  }

  /** A stub as one of {@code type} is written that refers to any object at any endpoint. */
  static Remote stub(Class<? extends Remote> type, String host, int port, ObjIdentifier object) {
    RemoteRef reference =
        proxy(
            RemoteRef.class,
            (proxy, method, arguments) -> {
              if (method.getName().equals("getRefClass")) {
                return "UnicastRef";
              }
              ObjectOutput out = (ObjectOutput) arguments[0]; // of writeExternal
              out.writeUTF(host);
              out.writeInt(port);
              out.write(object.encode());
              out.writeBoolean(false);
              return null;
            });
    return proxy(type, new RemoteObjectInvocationHandler(reference));
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private Calls() {}
}
