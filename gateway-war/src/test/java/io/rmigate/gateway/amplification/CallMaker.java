package io.rmigate.gateway.amplification;

import io.rmigate.protocol.jrmp.Jrmp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;

/** Writes Calls as {@code sun.rmi.server.MarshalOutputStream} does, and as fast. */
final class CallMaker extends ObjectOutputStream {
  private static final long OBJECT = 42;
  private static final long METHOD_HASH = 0x9c9e6b1308366ddaL;

  private CallMaker(OutputStream out) throws IOException {
    super(out);
    useProtocolVersion(PROTOCOL_VERSION_1);
  }

  /** A Call with this argument. */
  static byte[] callWith(Object argument) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(Jrmp.CALL);
    try (CallMaker call = new CallMaker(bytes)) {
      call.writeLong(OBJECT);
      call.writeInt(1);
      call.writeLong(2);
      call.writeShort(3);
      call.writeInt(Jrmp.OPERATION_BY_HASH);
      call.writeLong(METHOD_HASH);
      call.writeObject(argument);
    }
    return bytes.toByteArray();
  }

  @Override
  protected void annotateClass(Class<?> type) throws IOException {
    writeObject(null);
  }

  @Override
  protected void annotateProxyClass(Class<?> type) throws IOException {
    writeObject(null);
  }
}
