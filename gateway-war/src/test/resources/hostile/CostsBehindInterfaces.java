// Costs behind interfaces of the JDK.
//   Checked
//   Iters
//   MakesSupplier
//   PatternMap
package hostile.costsbehindinterfaces;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Matching implements Predicate<String>, Serializable { private java.util.regex.Pattern pattern; public boolean test(String s) { return pattern.matcher(s).matches(); } }
class PatternMap extends HashMap<Object,Object> { private java.util.regex.Pattern pattern; public Object get(Object key) { return pattern.matcher((String) key).matches() ? this : null; } }
class BigA implements Supplier<Object> { int n; BigA(int n) { this.n = n; } public Object get() { return new byte[n]; } }
class BigB implements Supplier<Object> { public Object get() { return null; } }
class MakesSupplier implements Serializable { private int n; private Object readResolve() { Supplier<Object> s = n > 0 ? new BigA(n) : new BigB(); return s.get() == null ? null : this; } }
class Loopy implements Iterator<Object> { int n; Loopy(int n) { this.n = n; } public boolean hasNext() { while (n != 0) { n += 2; } return false; } public Object next() { return null; } }
class Iters implements Iterable<Object>, Serializable { private int n; public Iterator<Object> iterator() { return new Loopy(n); } private Object readResolve() { for (Object o : this) { return o; } return this; } }
class Checked implements Serializable { private Predicate<String> check; private String text;
  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { in.defaultReadObject(); if (!check.test(text)) throw new InvalidObjectException("bad"); } }
