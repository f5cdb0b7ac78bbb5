// Guards against recursion, which let a walk survive a cycle.
//   Atomic
//   Busy
//   Depth
//   Flags
package hostile.guards;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Busy implements Serializable { Busy a, b; private transient boolean busy; public int hashCode() { if (busy) return 1; busy = true; int h = (a == null ? 0 : a.hashCode()) + 31 * (b == null ? 0 : b.hashCode()); busy = false; return h; } }
class Depth implements Serializable { Object a, b; private transient int depth; public int hashCode() { if (depth > 40) return 1; depth++; int h = Objects.hashCode(a) + 31 * Objects.hashCode(b); depth--; return h; } }
class Atomic implements Serializable { private Object a, b; private AtomicInteger depth; public int hashCode() { if (depth.incrementAndGet() > 40) { return 1; } int h = Objects.hashCode(a) + 31 * Objects.hashCode(b); depth.decrementAndGet(); return h; } }
class Flags implements Serializable { private Object a, b; private boolean[] busy; public int hashCode() { if (busy[0]) { return 1; } busy[0] = true; int h = Objects.hashCode(a) + 31 * Objects.hashCode(b); busy[0] = false; return h; } }
