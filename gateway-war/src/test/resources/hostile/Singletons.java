// Singletons whose type says nothing of the object.
//   NoRule
//   Order
//   Shared
package hostile.singletons;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Order implements Serializable { static final Comparator<Object> INSTANCE = (a, b) -> { Runtime.getRuntime().gc(); return 0; }; private Object readResolve() { return INSTANCE; } }
interface Rule { int apply(Object o); }
class NoRule implements Serializable { static final Rule NONE = o -> { Runtime.getRuntime().gc(); return 0; }; private Object readResolve() { return NONE; } }
class Shared implements Serializable { static final List<Object> ALL = new ArrayList<>(); private Object readResolve() { return ALL; } }
