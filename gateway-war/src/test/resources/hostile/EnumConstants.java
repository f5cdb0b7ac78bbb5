// Constants of enums are objects of subclasses that no stream names, and static state.
//   AddsBehind
//   AddsToConstant
//   AddsToList
//   Behind
//   Op
//   Op$2
package hostile.enumconstants;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

enum Op implements Comparator<String> {
  LENGTH { public int compare(String a, String b) { return a.length() - b.length(); } },
  LOADED { public int compare(String a, String b) { try { return Class.forName(a).getName().compareTo(b); } catch (Exception e) { return 0; } } };
}
enum Known { ALL; private final List<Object> list = new ArrayList<>(); void add(Object o) { list.add(o); } List<Object> list() { return list; } }
class AddsToConstant implements Serializable { private Known known; private Object readResolve() { known.add(this); return this; } }
class AddsToList implements Serializable { private Known known; private Object readResolve() { known.list().add(this); return this; } }
interface Adds { void add(Object o); }
enum Behind implements Adds { ALL; private int count; public void add(Object o) { count++; } }
class AddsBehind implements Serializable { private Adds adds; private Object readResolve() { adds.add(this); return this; } }
