package io.rmigate.client.async;

import io.rmigate.protocol.jrmp.Jrmp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/**
 * A Call that is marshalled and not sent: what it says has been decided, where and when it goes has
 * not. Immutable.
 */
final class PreparedCall {
  private static final int METHOD_BY_HASH = -1;

  private final StubReference target;
  private final Method method;
  private final byte[] message;

  /**
   * The stub that is called, and what the arguments refer to. Kept from the garbage collection, in
   * this JVM and, by their leases, in others, as long as the server may not have registered for
   * them.
   */
  private final List<Object> references;

  private final ClassLoader contextLoader;

  private PreparedCall(
      StubReference target, Method method, byte[] message, List<Object> references) {
    this.target = target;
    this.method = method;
    this.message = message;
    this.references = references;
    this.contextLoader = Thread.currentThread().getContextClassLoader();
  }

  /**
   * Marshals a call on the calling thread.
   *
   * @throws IOException an argument cannot be marshalled
   */
  static PreparedCall of(StubReference target, Method method, Object[] arguments)
      throws IOException {
    List<Object> references = new ArrayList<>(1);
    references.add(target.stub());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
    bytes.write(Jrmp.CALL);
    try (ArgumentOutput out = new ArgumentOutput(bytes, references)) {
      out.write(target.object());
      out.writeInt(METHOD_BY_HASH);
      out.writeLong(MethodHash.of(method));
      Class<?>[] types = method.getParameterTypes();
      for (int i = 0; i < types.length; i++) {
        out.write(types[i], arguments[i]);
      }
    }
    return new PreparedCall(target, method, bytes.toByteArray(), references);
  }

  StubReference target() {
    return target;
  }

  Method method() {
    return method;
  }

  /** The whole Call, from its code on. */
  byte[] message() {
    return message;
  }

  /** Objects that the arguments refer to, to be kept until the Return begins. */
  List<Object> references() {
    return references;
  }

  /** The context class loader of the thread that has made the call; may be null. */
  ClassLoader contextLoader() {
    return contextLoader;
  }
}
