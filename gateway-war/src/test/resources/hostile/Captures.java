// What lambdas capture.
//   Captured
//   Number
//   RunsStart
package hostile.captures;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Reg { static final Map<String,Object> ALL = new HashMap<>(); }
class Captured implements Serializable { private Object readResolve() { Map<String,Object> all = Reg.ALL; Runnable r = () -> all.put("x", ""); r.run(); return this; } }
class Number implements Serializable { private int n; private Object readResolve() { int size = n; Supplier<Object> s = () -> new byte[size]; return s.get() == null ? null : this; } }
class Start { static final Consumer<Object> ADD = make(); static Consumer<Object> make() { List<Object> all = new ArrayList<>(); return all::add; } static final Consumer<Object> PUT = make2(); static Consumer<Object> make2() { List<Object> all = new ArrayList<>(); return o -> all.add(o); } }
class RunsStart implements Serializable { private Object readResolve() { Start.PUT.accept(this); return this; } }
