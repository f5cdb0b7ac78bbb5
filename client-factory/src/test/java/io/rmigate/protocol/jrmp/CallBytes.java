package io.rmigate.protocol.jrmp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.rmi.Remote;

/** Writes Calls and Returns as the JDK's own marshalling streams do, for tests. */
public final class CallBytes {

  /** Writes what follows the header of a Call. */
  public interface Arguments {
    void writeTo(ObjectOutputStream out) throws IOException;
  }

  /** A Call of a method of object 42 with these arguments, class annotations null. */
  public static byte[] call(Arguments arguments) {
    return call(null, ObjectStreamConstants.PROTOCOL_VERSION_1, arguments);
  }

  /** A Call with one object as its argument. */
  public static byte[] callWith(Object argument) {
    return call(out -> out.writeObject(argument));
  }

  public static byte[] call(String annotation, int protocolVersion, Arguments arguments) {
    return message(
        Jrmp.CALL,
        annotation,
        protocolVersion,
        out -> {
          out.writeLong(42);
          out.writeInt(1);
          out.writeLong(2);
          out.writeShort(3);
          out.writeInt(Jrmp.OPERATION_BY_HASH);
          out.writeLong(0x9c9e6b1308366ddaL);
          arguments.writeTo(out);
        });
  }

  public static byte[] normalReturn(Arguments result) {
    return message(
        Jrmp.RETURN,
        null,
        ObjectStreamConstants.PROTOCOL_VERSION_1,
        out -> {
          out.writeByte(Jrmp.NORMAL_RETURN);
          out.write(new byte[Jrmp.UID_BYTES]);
          result.writeTo(out);
        });
  }

  public static byte[] message(
      int code, String annotation, int protocolVersion, Arguments contents) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(code);
    try (Marshalling out = new Marshalling(bytes, annotation, protocolVersion)) {
      try {
        contents.writeTo(out);
      } catch (IOException notSerializable) {
        // The stream has ended with TC_EXCEPTION, which is what some tests want.
      }
      out.flush();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  /** What sun.rmi.server.MarshalOutputStream does to the bytes. */
  private static final class Marshalling extends ObjectOutputStream {
    private final String annotation;

    Marshalling(OutputStream out, String annotation, int protocolVersion) throws IOException {
      super(out);
      this.annotation = annotation;
      useProtocolVersion(protocolVersion);
      enableReplaceObject(true);
    }

    @Override
    protected Object replaceObject(Object object) {
      return object instanceof Remote remote && !Proxy.isProxyClass(object.getClass())
          ? RemoteStubs.stubOf(remote)
          : object;
    }

    @Override
    protected void annotateClass(Class<?> type) throws IOException {
      writeObject(annotation);
    }

    @Override
    protected void annotateProxyClass(Class<?> type) throws IOException {
      writeObject(annotation);
    }
  }

  private CallBytes() {}
}
