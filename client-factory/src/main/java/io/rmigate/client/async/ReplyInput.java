package io.rmigate.client.async;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.rmi.server.RMIClassLoader;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteObjectInvocationHandler;

/**
 * Unmarshals what a server has marshalled, with the classes that the RMI runtime would find: by
 * {@link RMIClassLoader}, first in the loader of the stub, then in the context class loader. The
 * serial filter of the JVM holds as for each object stream. References are registered with the
 * collector while they are read.
 */
final class ReplyInput extends ObjectInputStream {
  private static final boolean USES_CODEBASES =
      "false".equalsIgnoreCase(System.getProperty("java.rmi.server.useCodebaseOnly", "true"));

  private final ClassLoader stubLoader;
  private boolean holdsReferences;

  /**
   * @param stubLoader null for the boot loader
   */
  ReplyInput(InputStream in, ClassLoader stubLoader) throws IOException {
    super(in);
    this.stubLoader = stubLoader;
  }

  /** Whether remote references have been read, so that the server waits for a DgcAck. */
  boolean holdsReferences() {
    return holdsReferences;
  }

  @Override
  protected Class<?> resolveClass(ObjectStreamClass described)
      throws IOException, ClassNotFoundException {
    String codebase = readCodebase();
    Class<?> type;
    try {
      type = RMIClassLoader.loadClass(codebase, described.getName(), stubLoader);
    } catch (ClassNotFoundException notFound) {
      if (described.getName().indexOf('.') >= 0) {
        throw notFound;
      }
      type = super.resolveClass(described); // a primitive type, perhaps
    }
    holdsReferences |=
        type == RemoteObjectInvocationHandler.class || RemoteObject.class.isAssignableFrom(type);
    return type;
  }

  @Override
  protected Class<?> resolveProxyClass(String[] interfaces)
      throws IOException, ClassNotFoundException {
    return RMIClassLoader.loadProxyClass(readCodebase(), interfaces, stubLoader);
  }

  private String readCodebase() throws IOException, ClassNotFoundException {
    Object annotation = readObject();
    return USES_CODEBASES && annotation instanceof String url ? url : null;
  }

  /** Reads a result as its declared type asks for. */
  Object read(Class<?> type) throws IOException, ClassNotFoundException {
    if (!type.isPrimitive()) {
      return readObject();
    } else if (type == void.class) {
      return null;
    } else if (type == int.class) {
      return readInt();
    } else if (type == long.class) {
      return readLong();
    } else if (type == boolean.class) {
      return readBoolean();
    } else if (type == double.class) {
      return readDouble();
    } else if (type == byte.class) {
      return readByte();
    } else if (type == char.class) {
      return readChar();
    } else if (type == short.class) {
      return readShort();
    } else {
      return readFloat();
    }
  }
}
