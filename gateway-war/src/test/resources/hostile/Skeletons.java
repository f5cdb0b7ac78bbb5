// Collections on top of the JDK's skeletons.
//   ListMap
//   ListSet
//   Slow
//   View
package hostile.skeletons;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class View extends AbstractList<Object> implements Serializable { private final List<Object> l = null; public Object get(int i) { return l.get(i); } public int size() { return l.size(); } }
class Slow extends AbstractList<Object> implements Serializable { private final List<Object> l = null; public Object get(int i) { int n = 0; for (Object o : l) { if (n == i) return o; n++; } return null; } public int size() { return l.size(); } }
class ListSet extends AbstractSet<Object> implements Serializable { private List<Object> l; public Iterator<Object> iterator() { return l.iterator(); } public int size() { return l.size(); } }
class ListMap extends AbstractMap<Object,Object> implements Serializable { private Set<Map.Entry<Object,Object>> l; public Set<Map.Entry<Object,Object>> entrySet() { return l; } }
