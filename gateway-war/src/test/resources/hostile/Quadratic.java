// Costs that grow faster than what there is.
//   ContainsAll
//   CopyEach
//   CowLoop
//   DoubleText
//   IndexLoop
//   InsertFirst
//   PutKeys
//   UpperEach
package hostile.quadratic;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class DoubleText implements Serializable { private List<Object> l; private transient String t; private Object readResolve() { String s = "x"; for (Object o : l) s += s; t = s; return this; } }
class AddText implements Serializable { private List<Object> l; public String toString() { String s = ""; for (Object o : l) s += "x"; return s; } }
class DoubleBuf implements Serializable { private List<Object> l; public String toString() { StringBuilder s = new StringBuilder("x"); for (Object o : l) s.append(s); return s.toString(); } }
class IndexLoop implements Serializable { private List<Object> l; public int hashCode() { int h = 0; for (int i = 0; i < l.size(); i++) h += l.get(i) == null ? 0 : 1; return h; } }
class CowLoop implements Serializable { private transient List<Object> l; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { l = new CopyOnWriteArrayList<>(); int n = in.readInt(); for (int i = 0; i < n; i++) l.add(in.readObject()); } }
class InsertFirst implements Serializable { private transient List<Object> l; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { l = new ArrayList<>(); int n = in.readInt(); for (int i = 0; i < n; i++) l.add(0, in.readObject()); } }
class ContainsAll implements Serializable { private List<Object> l; public int hashCode() { return 1; } public boolean equals(Object o) { return o instanceof ContainsAll && l.containsAll(((ContainsAll) o).l); } }
class CopyEach implements Serializable { private List<Object> l; private transient List<Object> m; private Object readResolve() { m = new ArrayList<>(); for (Object o : l) m.add(new ArrayList<>(l)); return this; } }
class UpperEach implements Serializable { private String s; public int hashCode() { int h = 0; for (int i = 0; i < s.length(); i++) h += s.toUpperCase().charAt(i); return h; } }
class PutKeys implements Serializable { private transient Hashtable<String,Object> t; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { t = new Hashtable<>(); int n = in.readInt(); for (int i = 0; i < n; i++) t.put(in.readUTF(), this); } }
