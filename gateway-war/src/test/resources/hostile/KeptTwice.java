// References that are kept a second time.
//   Copy
//   G
//   R
//   R2
//   X
package hostile.kepttwice;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Copy implements Serializable { Object next; transient Object copy; private Object readResolve() { copy = next; return this; } public int hashCode() { return next.hashCode() + 31 * copy.hashCode(); } }
class A implements Serializable { Object b; public int hashCode() { return b.hashCode(); } Object getB() { return b; } }
class Pair implements Serializable { Object first, second; Pair(Object f, Object s) { first = f; second = s; } public int hashCode() { return first.hashCode() + 31 * second.hashCode(); } }
class R implements Serializable { A a; private Object readResolve() { return new Pair(a, a.b); } }
class R2 implements Serializable { A a; private Object readResolve() { return new Pair(a, a.getB()); } }
class G implements Serializable { Object a; transient Object b; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { ObjectInputStream.GetField f = in.readFields(); a = f.get("a", null); b = f.get("a", null); } public int hashCode() { return a.hashCode() + 31 * b.hashCode(); } }
class M { Object o; M(Object o) { this.o = o; } public int hashCode() { return o.hashCode(); } }
class X implements Serializable { transient M a, b; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { in.defaultReadObject(); M m = new M(in.readObject()); a = m; b = m; } public int hashCode() { return a.hashCode() + 31 * b.hashCode(); } }
