package io.rmigate.gateway.bridge.marshal;

import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.lang.reflect.Method;

/**
 * Writes Calls as {@code sun.rmi.server.MarshalOutputStream} does, without class annotations.
 *
 * <p>But for one thing: in version 2 of the protocol, which every server reads as well. Version 1
 * has no hook for the names of classes, and the stand-ins must go by those of the JDK.
 */
public final class CallWriter extends ObjectOutputStream {
  private CallWriter(OutputStream out) throws IOException {
    super(out);
  }

  /**
   * Writes a whole Call.
   *
   * @param arguments one for each parameter
   * @throws IOException of the stream below, or because an argument cannot be serialized
   */
  public static void write(
      OutputStream out, ObjIdentifier object, Method method, Object[] arguments)
      throws IOException {
    out.write(Jrmp.CALL);
    CallWriter call = new CallWriter(out);
    call.write(object.encode());
    call.writeInt(Jrmp.OPERATION_BY_HASH);
    call.writeLong(MethodHash.of(method));
    Class<?>[] types = method.getParameterTypes();
    for (int i = 0; i < types.length; i++) {
      call.writeArgument(types[i], arguments[i]);
    }
    call.flush();
  }

  private void writeArgument(Class<?> type, Object value) throws IOException {
    if (!type.isPrimitive()) {
      writeObject(value);
    } else if (type == int.class) {
      writeInt((Integer) value);
    } else if (type == boolean.class) {
      writeBoolean((Boolean) value);
    } else if (type == byte.class) {
      writeByte((Byte) value);
    } else if (type == char.class) {
      writeChar((Character) value);
    } else if (type == short.class) {
      writeShort((Short) value);
    } else if (type == long.class) {
      writeLong((Long) value);
    } else if (type == float.class) {
      writeFloat((Float) value);
    } else {
      writeDouble((Double) value);
    }
  }

  /** Where a codebase would stand. */
  @Override
  protected void annotateClass(Class<?> type) throws IOException {
    writeObject(null);
  }

  @Override
  protected void annotateProxyClass(Class<?> type) throws IOException {
    writeObject(null);
  }

  @Override
  protected void writeClassDescriptor(ObjectStreamClass descriptor) throws IOException {
    ReplacedClass standIn = ReplacedClass.of(descriptor.forClass());
    if (standIn == null) {
      super.writeClassDescriptor(descriptor);
    } else {
      standIn.writeDescriptor(this, descriptor.getSerialVersionUID());
    }
  }
}
