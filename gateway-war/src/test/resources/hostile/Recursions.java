// Recursion through shared objects.
//   BadText
//   CompositeSize
//   Node
//   PairHash
//   PairText
package hostile.recursions;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Node implements Serializable { List<Node> children; int depth() { int d = 0; for (Node c : children) d = Math.max(d, c.depth()); return d + 1; } private Object readResolve() { return depth() > 3 ? this : null; } }
class CompositeSize extends AbstractCollection<Object> implements Serializable { List<Collection<Object>> parts; public Iterator<Object> iterator() { return parts.get(0).iterator(); } public int size() { int n = 0; for (Collection<Object> c : parts) n += c.size(); return n; } }
class Pair implements Serializable { Object l, r; public String toString() { return l + "," + r; } }
class BadText implements Serializable { List<Object> l; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { in.defaultReadObject(); if (l.size() > 1) throw new InvalidObjectException("bad " + l); } }
class PairText implements Serializable { Pair p; private Object readResolve() { return p.toString().isEmpty() ? null : this; } }
class PairHash implements Serializable { PairHash l, r; transient int hash; public int hashCode() { return l.hashCode() + r.hashCode(); } private Object readResolve() { hash = hashCode(); return this; } }
