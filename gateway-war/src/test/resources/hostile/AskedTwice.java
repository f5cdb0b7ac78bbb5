// The same object, hashed or compared twice.
//   ArgTwice
//   ConcatTwice
//   DeepTwice
//   ElementTwice
//   GetterTwice
//   HashTwice
//   HashTwice2
//   HelperTwice
//   ListTwice
//   SubHash
//   TwoLoops
package hostile.askedtwice;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class GetterTwice implements Serializable, Comparable<GetterTwice> { GetterTwice key; GetterTwice getKey() { return key; } public int compareTo(GetterTwice o) { if (getKey().compareTo(o.getKey()) < 0) return -1; return getKey().compareTo(o.getKey()) > 0 ? 1 : 0; } }
class HelperTwice implements Serializable { Object next; int a() { return next.hashCode(); } int b() { return next.hashCode(); } public int hashCode() { return a() + b(); } }
class HashTwice implements Serializable { Object next; public int hashCode() { return Objects.hash(next, next); } }
class HashTwice2 implements Serializable { Object next; public int hashCode() { return Objects.hashCode(next) + Objects.hashCode(next); } }
class ConcatTwice implements Serializable { Object next; public String toString() { return next + "," + next; } public int hashCode() { return toString().hashCode(); } }
class TwoLoops implements Serializable { List<Object> l; public int hashCode() { int h = 0; for (Object o : l) h += o.hashCode(); for (Object o : l) h += o.hashCode(); return h; } }
class SuperHash implements Serializable { protected Object key; public int hashCode() { return key.hashCode(); } }
class SubHash extends SuperHash { public int hashCode() { return 31 * super.hashCode() + key.hashCode(); } }
class ElementTwice implements Serializable { List<Object> l; public int hashCode() { int h = 0; for (Object o : l) { h += o.hashCode(); h += o.hashCode(); } return h; } }
class ListTwice implements Serializable { List<Object> l; public int hashCode() { return l.hashCode() + new ArrayList<>(l).hashCode(); } }
class ArgTwice implements Serializable { Object next; public boolean equals(Object o) { return o instanceof ArgTwice && (Objects.equals(next, ((ArgTwice) o).next) || Objects.equals(((ArgTwice) o).next, next)); } public int hashCode() { return 1; } }
class DeepTwice implements Serializable { Object[] l; public int hashCode() { return Arrays.hashCode(l) + Arrays.deepHashCode(l); } }
