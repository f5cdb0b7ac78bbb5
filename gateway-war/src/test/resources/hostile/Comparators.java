// Comparators are no keys: the gateway does not count their work.
//   Both
//   ByKey
//   ChainOf
//   FixedOrder
package hostile.comparators;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Both implements Comparator<Object>, Serializable { Comparator<Object> first, second; public int compare(Object a, Object b) { int c = first.compare(a, b); return c != 0 ? c : second.compare(a, b); } }
class Zero implements Comparator<Object>, Serializable { public int compare(Object a, Object b) { return 0; } }
class ByKey implements Comparator<Object>, Serializable { Object key; public int compare(Object a, Object b) { return key.hashCode(); } }
class FixedOrder implements Comparator<Object>, Serializable { List<Object> order; public int compare(Object a, Object b) { return order.indexOf(a) - order.indexOf(b); } }
class ChainOf implements Comparator<Object>, Serializable { List<Comparator<Object>> all; public int compare(Object a, Object b) { for (Comparator<Object> c : all) { int r = c.compare(a, b); if (r != 0) return r; } return 0; } }
