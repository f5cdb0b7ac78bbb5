// Helpers hide that a loop is in a loop.
//   AddUnique
//   Parent
package hostile.helpers;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class AddUnique implements Serializable { private List<Object> l; private transient List<Object> m; private void addUnique(Object o) { if (!m.contains(o)) m.add(o); } private Object readResolve() { m = new ArrayList<>(); for (Object o : l) addUnique(o); return this; } }
class Child implements Serializable { Parent p; void attach(Parent q) { if (!q.children.contains(this)) p = q; } }
class Parent implements Serializable { List<Child> children; private Object readResolve() { for (Child c : children) c.attach(this); return this; } }
