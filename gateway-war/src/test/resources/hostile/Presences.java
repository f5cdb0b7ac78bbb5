// Objects that code makes and puts where the JDK asks them.
//   IntoArray
//   IntoList
//   IntoMap
//   IntoShared
package hostile.presences;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Evil { public int hashCode() { Runtime.getRuntime().gc(); return 1; } public boolean equals(Object o) { return o instanceof Evil; } }
class IntoArray implements Serializable { private Object[] shared; private Object readResolve() { shared[0] = new Evil(); return this; } }
class IntoList implements Serializable { private List<Object> shared; private Object readResolve() { shared.add(new Evil()); return this; } }
class Fixed { static final Object KEY = new Evil(); }
class IntoMap implements Serializable { private Map<String,Object> shared; private Object readResolve() { shared.put("x", Fixed.KEY); return this; } }
class EvilList implements Collection<Object> { public Iterator<Object> iterator() { Runtime.getRuntime().gc(); return null; } public int size() { return 0; } public boolean isEmpty() { return true; } public boolean contains(Object o) { return false; } public Object[] toArray() { return null; } public <T> T[] toArray(T[] a) { return null; } public boolean add(Object o) { return false; } public boolean remove(Object o) { return false; } public boolean containsAll(Collection<?> c) { return false; } public boolean addAll(Collection<?> c) { return false; } public boolean removeAll(Collection<?> c) { return false; } public boolean retainAll(Collection<?> c) { return false; } public void clear() {} }
class IntoShared implements Serializable { private List<Object> shared; private Object readResolve() { shared.add(new EvilList()); return this; } }
