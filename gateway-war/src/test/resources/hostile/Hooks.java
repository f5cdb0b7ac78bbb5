// Methods that readers of the JDK call.
//   KeyQueue
//   SetQueue
//   TextQueue
//   UniqueQueue
package hostile.hooks;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class UniqueQueue extends LinkedBlockingQueue<Object> { public boolean offer(Object o) { return !contains(o) && super.offer(o); } }
class KeyQueue extends LinkedBlockingQueue<Object> { private Object last; public boolean add(Object o) { if (o.equals(last)) return false; last = o; return super.add(o); } }
class TextQueue extends LinkedBlockingQueue<Object> { public boolean add(Object o) { return o.toString().isEmpty() || super.add(o); } }
class SetQueue extends LinkedBlockingQueue<Object> { private transient Set<Object> seen; public boolean offer(Object o) { if (seen == null) seen = new HashSet<>(); return seen.add(o) && super.offer(o); } }
