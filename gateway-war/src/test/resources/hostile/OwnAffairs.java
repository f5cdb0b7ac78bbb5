// Methods without arguments that change their static object.
//   AsksHash
//   Closes
//   Drains
package hostile.ownaffairs;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Registry { static final Registry ALL = new Registry(); private boolean open = true; boolean close() { open = false; return true; } }
class Closes implements Serializable { private Object readResolve() { return Registry.ALL.close() ? this : null; } }
class Hashes { static final Hashes ALL = new Hashes(); private int asked; public int hashCode() { return asked++; } }
class AsksHash implements Serializable { private Object readResolve() { return Hashes.ALL.hashCode() > 3 ? this : null; } }
class Drains implements Serializable { static final PriorityQueue<Object> ALL = new PriorityQueue<>(); private Object readResolve() { return ALL.poll() == null ? this : null; } }
