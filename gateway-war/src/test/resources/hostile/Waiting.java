// Locks and monitors that others may hold.
//   Locks
//   Monitor
//   OfClass
//   OfField
//   OfText
//   Permits
package hostile.waiting;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Locks implements Serializable { private java.util.concurrent.locks.Lock lock; private Object readResolve() { lock.lock(); return this; } }
class Monitor implements Serializable { private static final Object LOCK = new ArrayList<>(); private Object readResolve() { synchronized (LOCK) { return this; } } }
class OfClass implements Serializable { private static synchronized void begin() {} private Object readResolve() { begin(); return this; } }
class OfField implements Serializable { private Object lock; private Object readResolve() { synchronized (lock) { return this; } } }
class OfText implements Serializable { private Object readResolve() { synchronized ("lock") { return this; } } }
class Permits implements Serializable { private Semaphore permits; private Object readResolve() throws ObjectStreamException { permits.acquireUninterruptibly(); return this; } }
