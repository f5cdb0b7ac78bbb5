// Objects of any class that readers hash, compare or make a text of.
//   Behind
//   Compared
//   Component
//   Hashed
//   KeyOfMap
//   ReadKey
//   Text
//   Validated
package hostile.askedbyreaders;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class KeyOfMap implements Serializable { private Object site; private transient Map<Object,Object> map; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { in.defaultReadObject(); map = new HashMap<>(); map.put(site, this); } }
class Hashed implements Serializable { private Serializable site; private transient int hash; private Object readResolve() { hash = Objects.hash(site); return this; } }
class Compared<T> implements Serializable { private T site; private Object readResolve() { return site.equals("x") ? null : this; } }
class ReadKey implements Externalizable { private final Map<Object,Object> rows = new HashMap<>(); public ReadKey() {} public void writeExternal(ObjectOutput out) {} public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException { int n = in.readInt(); for (int i = 0; i < n; i++) { rows.put(in.readObject(), in.readObject()); } } }
record Component(Object site) implements Serializable { Component { if (site.hashCode() == 0) { throw new IllegalArgumentException("zero"); } } }
class Validated implements Serializable, ObjectInputValidation { private Object site; public void validateObject() throws InvalidObjectException { if (new HashSet<>(Arrays.asList(site)).isEmpty()) { throw new InvalidObjectException("none"); } } }
class Text implements Serializable { private Object site; private transient String text; private Object readResolve() { text = "at " + site; return this; } }
class Behind implements Serializable { private Hashed other; private transient int hash; public int hashCode() { return other == null ? 0 : other.hashCode(); } private Object readResolve() { hash = hashCode(); return this; } }
