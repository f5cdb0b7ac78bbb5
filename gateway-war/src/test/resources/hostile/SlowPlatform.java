// Methods of the JDK that do more than they seem to.
//   CharsetOf
//   Chrono
//   ClearRef
//   Dims
//   Par
//   Par2
//   Perm
//   StaticBuf
package hostile.slowplatform;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Perm extends java.security.Permission { java.security.Permission other; Perm() { super("x"); } public boolean implies(java.security.Permission p) { return other.implies(p); } public boolean equals(Object o) { return other.implies((java.security.Permission) o); } public int hashCode() { return 1; } public String getActions() { return ""; } }
class CharsetOf implements Serializable { private transient java.nio.charset.Charset c; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { in.defaultReadObject(); c = java.nio.charset.Charset.forName(in.readUTF()); } }
class Par implements Serializable { private ConcurrentHashMap<Object,Object> m; private Object readResolve() { m.forEach(1, (k, v) -> {}); return this; } }
class Par2 implements Supplier<Object>, Serializable { private List<Object> m; public Object get() { m.stream().parallel().forEach(x -> {}); return this; } }
class Chrono implements Serializable { private String s; private Object readResolve() { return java.time.chrono.Chronology.of(s).getId().isEmpty() ? null : this; } }
class ClearRef implements Serializable { static final java.lang.ref.SoftReference<Object> R = new java.lang.ref.SoftReference<>(new ArrayList<>()); private Object readResolve() { R.clear(); return this; } }
class StaticBuf implements Serializable { static final java.nio.ByteBuffer R = java.nio.ByteBuffer.allocate(8); private Object readResolve() { R.position(3); R.flip(); return this; } }
class Dims implements Serializable { int[] dims; private transient Object o; private Object readResolve() { o = java.lang.reflect.Array.newInstance(int.class, dims); return this; } }
