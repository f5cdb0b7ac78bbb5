// Sizes that a class of the jars invents, and capacities.
//   Bits
//   Cycle
//   Forever
//   Huge
//   Indented
//   Invents
//   Keys
//   Least
//   Line
//   Longer
//   Masked
//   Shifted
//   Small
package hostile.sizes;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Invents extends AbstractList<Object> implements Serializable { private int size; public Object get(int i) { return null; } public int size() { return size; } }
class Huge extends AbstractList<Object> implements Serializable { public Object get(int i) { return null; } public int size() { return 1 << 30; } }
class Line implements CharSequence, Serializable { private int size; public int length() { return size; } public char charAt(int i) { return 'x'; } public CharSequence subSequence(int a, int b) { return this; } public String toString() { return ""; } }
class Forever implements Enumeration<Object>, Serializable { public boolean hasMoreElements() { return true; } public Object nextElement() { return null; } }
class Cycle implements Iterator<Object>, Serializable { private List<Object> list; private transient Iterator<Object> at; public boolean hasNext() { return true; } public Object next() { if (at == null || !at.hasNext()) { at = list.iterator(); } return at.next(); } }
class Masked implements Serializable { private int n; private transient byte[] bytes; private Object readResolve() { bytes = new byte[n & 0x3fffffff]; return this; } }
class Least implements Serializable { private int n; private transient byte[] bytes; private Object readResolve() { bytes = new byte[Math.min(n, 1 << 28)]; return this; } }
class Keys implements Serializable { private int n; private transient Object set; private Object readResolve() { set = ConcurrentHashMap.newKeySet(n); return this; } }
class Indented implements Serializable { private String s; private int n; private transient String text; private Object readResolve() { text = s.indent(n); return this; } }
class Longer implements Serializable { private int n; private Object readResolve() { StringBuilder b = new StringBuilder(); b.setLength(n); return b.length() > 3 ? this : null; } }
class Bits implements Serializable { private int n; private transient BitSet bits; private Object readResolve() { bits = new BitSet(); bits.set(n); return this; } }
class Shifted implements Serializable { private java.math.BigInteger b; private int n; public int hashCode() { return b.shiftLeft(n).bitLength(); } }
class Small implements Serializable { private short n; private transient long[] longs; private Object readResolve() { longs = make(n); return this; } private static long[] make(short n) { return new long[n]; } }
