package io.rmigate.client.async;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;
import java.io.OutputStream;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.server.RMIClassLoader;
import java.rmi.server.RemoteObject;
import java.util.List;

/**
 * Marshals arguments as the RMI runtime does: exported objects become their stubs, classes carry
 * their annotation.
 */
final class ArgumentOutput extends ObjectOutputStream {
  private final List<Object> references;

  /**
   * @param references takes each remote object, and each stub, that is written
   */
  ArgumentOutput(OutputStream out, List<Object> references) throws IOException {
    super(out);
    this.references = references;
    useProtocolVersion(ObjectStreamConstants.PROTOCOL_VERSION_1); // as RMI (JRMP.md, section 3.4)
    enableReplaceObject(true);
  }

  @Override
  protected Object replaceObject(Object object) {
    if (!(object instanceof Remote remote)) {
      return object;
    }
    references.add(object);
    try {
      return RemoteObject.toStub(remote);
    } catch (NoSuchObjectException notExported) {
      return object; // goes by value
    }
  }

  @Override
  protected void annotateClass(Class<?> type) throws IOException {
    writeObject(RMIClassLoader.getClassAnnotation(type));
  }

  @Override
  protected void annotateProxyClass(Class<?> type) throws IOException {
    annotateClass(type);
  }

  /** Writes an argument as its declared type asks for. */
  void write(Class<?> type, Object argument) throws IOException {
    if (!type.isPrimitive()) {
      writeObject(argument);
    } else if (type == int.class) {
      writeInt((Integer) argument);
    } else if (type == long.class) {
      writeLong((Long) argument);
    } else if (type == boolean.class) {
      writeBoolean((Boolean) argument);
    } else if (type == double.class) {
      writeDouble((Double) argument);
    } else if (type == byte.class) {
      writeByte((Byte) argument);
    } else if (type == char.class) {
      writeChar((Character) argument);
    } else if (type == short.class) {
      writeShort((Short) argument);
    } else {
      writeFloat((Float) argument);
    }
  }
}
