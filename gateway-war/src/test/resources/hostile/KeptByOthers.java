// References that another object keeps a second time.
//   Chained
//   Listed
//   ViaCtor
package hostile.keptbyothers;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class ViaCtor implements Serializable { Object next; transient Object copy; private Object readResolve() { new Putter(next, this); return this; } public int hashCode() { return next.hashCode() + 31 * copy.hashCode(); } }
class Putter { Putter(Object f, ViaCtor v) { v.copy = f; } }
class Wrap implements Serializable { Object o; Wrap(Object o) { this.o = o; } Object get() { return o; } public int hashCode() { return o.hashCode(); } }
class Chained implements Serializable { Object next; transient Wrap a, b; private Object readResolve() { a = new Wrap(next); b = new Wrap(a); return this; } public int hashCode() { return a.hashCode() + 31 * b.hashCode(); } }
class Listed implements Serializable { Object a, b; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { Object[] p = {in.readObject()}; a = p; b = p; } public int hashCode() { return a.hashCode() + b.hashCode(); } }
