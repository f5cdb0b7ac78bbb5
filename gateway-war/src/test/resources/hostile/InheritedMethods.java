// Methods that a class of the jars has from one of the JDK.
//   Calls
//   Ensures
//   Registered
//   SizedByCounter
//   Unique
package hostile.inheritedmethods;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Registry extends ConcurrentHashMap<String,Object> {}
class Registered implements Serializable { static final Registry ALL = new Registry(); private String name; private Object readResolve() { ALL.put(name, this); return this; } }
class Counter extends AtomicInteger {}
class SizedByCounter implements Serializable { private Counter counter; private transient Object[] slots; private Object readResolve() { slots = new Object[counter.get()]; return this; } }
class MyList extends ArrayList<Object> {}
class Ensures implements Serializable { private MyList list; private int n; private Object readResolve() { list.ensureCapacity(n); return this; } }
class Unique implements Serializable { private MyList list; private Object readResolve() { int n = 0; for (Object o : list) { n += list.indexOf(o); } return n > 0 ? this : null; } }
class HarmfulConsumer implements Consumer<Object> { public void accept(Object o) { Runtime.getRuntime().gc(); } }
class Calls implements Serializable { private MyList list; private Object readResolve() { list.forEach(new HarmfulConsumer()); return this; } }
