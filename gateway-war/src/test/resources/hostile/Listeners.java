// Copies of static collections, and what lambdas get of them.
//   ByCopy
//   ByCopy2
//   ByForEach
//   ByForEach2
//   ByIter
//   ByOptional
//   ByRef
//   UpdateSlots
package hostile.listeners;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

interface Listener { void changed(Object o); default void removed(Object o) {} void other(); }
class Logging implements Listener { public void other() {} public void changed(Object o) { Runtime.getRuntime().gc(); } }
class Reg { static final List<Listener> LISTENERS = new CopyOnWriteArrayList<>(); static final Map<String,List<Object>> LISTS = new HashMap<>(); static final List<List<Object>> LL = new ArrayList<>(); static void start() { LISTENERS.add(new Logging()); } }
class ByCopy implements Serializable { private Object readResolve() { for (Listener l : new ArrayList<>(Reg.LISTENERS)) l.changed(this); return this; } }
class ByForEach implements Serializable { private Object readResolve() { Reg.LISTENERS.forEach(l -> l.changed(this)); return this; } }
class ByCopy2 implements Serializable { private Object readResolve() { for (List<Object> l : new ArrayList<>(Reg.LISTS.values())) l.add(this); return this; } }
class ByForEach2 implements Serializable { private Object readResolve() { Reg.LISTS.forEach((k, l) -> l.add(k)); return this; } }
class ByOptional implements Serializable { private Object readResolve() { Optional.ofNullable(Reg.LISTS.get("x")).ifPresent(l -> l.add("")); return this; } }
class ByRef implements Serializable { private Object readResolve() { new AtomicReference<>(Reg.LL).get().add(null); return this; } }
class ByIter implements Serializable { private Object readResolve() { Reg.LL.forEach(List::clear); return this; } }
class UpdateSlots implements Serializable { private AtomicInteger n; private transient Object[] s; private Object readResolve() { n.updateAndGet(k -> { s = new Object[k]; return k; }); return this; } }
