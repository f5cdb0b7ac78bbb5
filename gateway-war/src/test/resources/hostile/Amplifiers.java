// Constants that make much of little.
//   ByEq
//   Cov
//   Desc
//   Ncopies2
//   Rep
//   Rnd2
//   Str
//   Strm
package hostile.amplifiers;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Str implements Serializable { String s; int n; private Object readResolve() { String t = String.format("%1000000000d", 1); return t.isEmpty() ? null : this; } }
class Ncopies2 implements Serializable { private List<Object> l; private Object readResolve() { List<Object> c = Collections.nCopies(Integer.MAX_VALUE, "x"); return new ArrayList<>(c); } }
class Rep implements Serializable { private Object readResolve() { return "abcdefgh".repeat(1 << 28); } }
class Rnd2 implements Supplier<Object>, Serializable { private Random r; public Object get() { PrimitiveIterator.OfInt i = r.ints().iterator(); int n = 0; while (i.hasNext()) n += i.nextInt(); return n > 0 ? this : null; } }
class Strm implements Supplier<Object>, Serializable { public Object get() { return java.util.stream.Stream.generate(() -> 1).count(); } }
class Desc implements Serializable { private Class<?> c; private Object readResolve() { return c.getEnumConstants().length > 0 ? this : null; } }
class EvilList implements Collection<Object> { public Iterator<Object> iterator() { Runtime.getRuntime().gc(); return null; } public int size() { return 0; } public boolean isEmpty() { return true; } public boolean contains(Object o) { return false; } public Object[] toArray() { return null; } public <T> T[] toArray(T[] a) { return null; } public boolean add(Object o) { return false; } public boolean remove(Object o) { return false; } public boolean containsAll(Collection<?> c) { return false; } public boolean addAll(Collection<?> c) { return false; } public boolean removeAll(Collection<?> c) { return false; } public boolean retainAll(Collection<?> c) { return false; } public void clear() {} }
class ByEq implements Serializable { private Set<Object> l; private Object readResolve() { return l.equals(new EvilList()) ? null : this; } }
class Reg { static final List<Object> ALL = new ArrayList<>(); }
class Cov implements Serializable { private static void fill(Object[] o) { o[0] = Reg.ALL; } private Object readResolve() { List<Object>[] a = new List[1]; fill(a); a[0].add(this); return this; } }
