package io.rmigate.gateway.bridge.marshal;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;

/** Classes of the JDK in whose place streams have ours. */
enum ReplacedClass {
  HANDLER(
      "java.rmi.server.RemoteObjectInvocationHandler",
      RemoteObjectInvocationHandler.class,
      ObjectStreamConstants.SC_SERIALIZABLE),
  REMOTE_OBJECT(
      "java.rmi.server.RemoteObject",
      RemoteObject.class,
      ObjectStreamConstants.SC_SERIALIZABLE | ObjectStreamConstants.SC_WRITE_METHOD);

  private final String name;
  private final Class<?> ours;
  private final int flags;

  ReplacedClass(String name, Class<?> ours, int flags) {
    this.name = name;
    this.ours = ours;
    this.flags = flags;
  }

  /** Null if the class is none of ours. */
  static ReplacedClass of(Class<?> type) {
    for (ReplacedClass standIn : values()) {
      if (standIn.ours == type) {
        return standIn;
      }
    }
    return null;
  }

  /** Null if the class of the JDK has none. */
  static Class<?> inPlaceOf(String name) {
    for (ReplacedClass standIn : values()) {
      if (standIn.name.equals(name)) {
        return standIn.ours;
      }
    }
    return null;
  }

  /** As the JDK's class, which has no fields (Java Object Serialization, section 6.4.2). */
  void writeDescriptor(ObjectOutputStream out, long serialVersionUid) throws IOException {
    out.writeUTF(name);
    out.writeLong(serialVersionUid);
    out.writeByte(flags);
    out.writeShort(0);
  }
}
