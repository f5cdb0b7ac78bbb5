// Loops whose bound grows.
//   Alias
//   BackForth
//   GrowCount
//   GrowText
//   Grows
//   ReadsZeros
//   Work
//   ZeroInput
package hostile.growingloops;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class ZeroInput implements Serializable { private DataInput in; private Object readResolve() { try { while (true) { if (in.readByte() == 1) return this; } } catch (IOException e) { return this; } } }
class BackForth implements Serializable { private List<Object> l; private Object readResolve() { for (ListIterator<Object> i = l.listIterator(); i.hasNext();) { i.next(); i.previous(); } return this; } }
class Grows implements Serializable { private Queue<Object> q; private Object readResolve() { for (Object o : q) q.add(o); return this; } }
class Work implements Serializable { private List<Object> q; private void more(List<Object> l, Object o) { l.add(o); } private Object readResolve() { for (int i = 0; i < q.size(); i++) more(q, q.get(i)); return this; } }
class Alias implements Serializable { private List<Object> q; private Object readResolve() { List<Object> a = q; for (int i = 0; i < q.size(); i++) a.add(q.get(i)); return this; } }
class GrowCount implements Serializable { private transient int count; private void grow() { count++; } private Object readResolve() { count = 1; for (int i = 0; i < count; i++) grow(); return this; } }
class GrowText implements Serializable { private String s; private Object readResolve() { String t = s; for (int i = 0; i < t.length(); i++) t = t + "x"; return this; } }
class ReadsZeros implements DataInput, Serializable { public void readFully(byte[] b) {} public void readFully(byte[] b, int o, int l) {} public int skipBytes(int n) { return 0; } public boolean readBoolean() { return false; } public byte readByte() { return 0; } public int readUnsignedByte() { return 0; } public short readShort() { return 0; } public int readUnsignedShort() { return 0; } public char readChar() { return 0; } public int readInt() { return 0; } public long readLong() { return 0; } public float readFloat() { return 0; } public double readDouble() { return 0; } public String readLine() { return ""; } public String readUTF() { return ""; } }
