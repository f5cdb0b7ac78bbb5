// Numbers that code makes large.
//   Bytes
//   Compares
//   Doubles
//   Exact
//   Mul
//   Multiplied
//   PowerSet
//   Shift
//   Unsigned
package hostile.arithmetic;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Bytes implements Serializable { private transient byte[] b; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { int n = (in.readByte() & 0xff) << 24 | (in.readByte() & 0xff) << 16 | (in.readByte() & 0xff) << 8 | in.readByte() & 0xff; b = new byte[n]; } }
class Shift implements Serializable { private List<Object> l; private transient Object[] b; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { in.defaultReadObject(); b = new Object[1 << l.size()]; } }
class Doubles implements Serializable { private List<Object> l; private transient Object[] b; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { in.defaultReadObject(); int n = 1; for (Object o : l) n += n; b = new Object[n]; } }
class Multiplied implements Serializable { private List<Object> l; private transient byte[] b; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { in.defaultReadObject(); b = new byte[l.size() * 1000000]; } }
class Exact implements Serializable { private List<Object> l; private transient byte[] b; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { in.defaultReadObject(); b = new byte[Math.multiplyExact(l.size(), l.size())]; } }
class Unsigned implements Serializable { private List<Object> l; private transient byte[] b; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { in.defaultReadObject(); b = new byte[-l.size() >>> 1]; } }
class Compares implements Serializable { private Comparator<Object> c; private transient byte[] b; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { in.defaultReadObject(); b = new byte[c.compare(this, this)]; } }
class Max implements Comparator<Object>, Serializable { int n; public int compare(Object a, Object b) { return n; } }
class Mul implements Serializable { private List<Object> l; private transient Object[] b; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { in.defaultReadObject(); int n = 1; for (Object o : l) n *= 10; b = new Object[n]; } }
class PowerSet implements Serializable { private List<Object> l; public int hashCode() { int h = 0; for (int m = 0; m < 1 << l.size(); m++) h += m; return h; } }
