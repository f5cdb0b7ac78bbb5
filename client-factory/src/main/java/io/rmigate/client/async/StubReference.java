package io.rmigate.client.async;

import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectOutput;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteObjectInvocationHandler;
import java.rmi.server.RemoteRef;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;

/**
 * What a stub refers to, as the stub itself writes it: the endpoint and the object, and by which
 * interfaces it can be called. Immutable.
 */
final class StubReference {
  private static final int OBJ_ID_BYTES = 22;

  private final Remote stub;

  private final Server server;
  private final byte[] object;
  private final Class<?>[] interfaces;
  private final ClassLoader loader;

  /**
   * Where connections go.
   *
   * @param factory of the stub's own; null when it has none
   */
  record Server(String host, int port, RMIClientSocketFactory factory) {
    @Override
    public String toString() {
      return host + ":" + port;
    }
  }

  private StubReference(
      Remote stub, Server server, byte[] object, Class<?>[] interfaces, ClassLoader loader) {
    this.stub = stub;
    this.server = server;
    this.object = object;
    this.interfaces = interfaces;
    this.loader = loader;
  }

  /**
   * The reference in a stub: a dynamic proxy of RMI's, or a class of {@code rmic}.
   *
   * @throws IllegalArgumentException it is no stub, or its reference is of an unknown kind
   */
  static StubReference of(Remote stub) {
    Objects.requireNonNull(stub, "stub");
    Class<?> type = stub.getClass();
    RemoteRef reference;
    Class<?>[] interfaces;
    if (Proxy.isProxyClass(type)) {
      InvocationHandler handler = Proxy.getInvocationHandler(stub);
      if (!(handler instanceof RemoteObjectInvocationHandler remote)) {
        throw new IllegalArgumentException("expected a stub, got a proxy with " + handler);
      }
      reference = remote.getRef();
      interfaces = type.getInterfaces();
    } else if (stub instanceof RemoteObject object && isStub(stub)) {
      reference = object.getRef();
      interfaces = remoteInterfaces(type);
    } else {
      throw new IllegalArgumentException("expected a stub, got an object of " + type);
    }
    Written written = new Written();
    try {
      reference.writeExternal(written);
      return new StubReference(
          stub,
          written.server(reference.getRefClass(written)),
          written.last(OBJ_ID_BYTES + 1, OBJ_ID_BYTES),
          interfaces,
          type.getClassLoader());
    } catch (IOException | RuntimeException unknown) {
      throw new IllegalArgumentException(
          "expected the reference of a stub, got " + reference.getClass(), unknown);
    }
  }

  private static boolean isStub(Remote object) {
    try {
      return RemoteObject.toStub(object) == object;
    } catch (NoSuchObjectException notExported) {
      return false;
    }
  }

  private static Class<?>[] remoteInterfaces(Class<?> type) {
    Set<Class<?>> found = new LinkedHashSet<>();
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      for (Class<?> implemented : at.getInterfaces()) {
        if (Remote.class.isAssignableFrom(implemented)) {
          found.add(implemented);
        }
      }
    }
    return found.toArray(new Class<?>[0]);
  }

  /** The stub that has the lease of the object. */
  Remote stub() {
    return stub;
  }

  Server server() {
    return server;
  }

  /** The ObjID, in its raw form of 22 bytes. */
  byte[] object() {
    return object;
  }

  Class<?>[] interfaces() {
    return interfaces;
  }

  /** The class loader in which all interfaces can be found; null for the boot loader. */
  ClassLoader loader() {
    return loader;
  }

  @Override
  public String toString() {
    return ObjIdentifier.decode(object, 0) + " at " + server;
  }

  /** Takes what a RemoteRef writes of itself: endpoint, ObjID, one boolean. */
  private static final class Written extends DataOutputStream implements ObjectOutput {
    private final ByteArrayOutputStream bytes;
    private RMIClientSocketFactory factory;

    Written() {
      this(new ByteArrayOutputStream(64));
    }

    private Written(ByteArrayOutputStream bytes) {
      super(bytes);
      this.bytes = bytes;
    }

    /** The client socket factory; it leaves no bytes. */
    @Override
    public void writeObject(Object object) {
      factory = (RMIClientSocketFactory) object;
    }

    Server server(String kind) throws IOException {
      DataInputStream written = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
      if (kind.equals("UnicastRef2")) {
        written.readByte(); // whether there is a factory
      } else if (!kind.equals("UnicastRef")) {
        throw new IOException("expected UnicastRef or UnicastRef2, got " + kind);
      }
      return new Server(written.readUTF(), written.readInt(), factory);
    }

    byte[] last(int fromEnd, int count) {
      byte[] all = bytes.toByteArray();
      return Arrays.copyOfRange(all, all.length - fromEnd, all.length - fromEnd + count);
    }
  }
}
