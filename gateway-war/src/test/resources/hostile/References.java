// References to methods, and what lambdas return.
//   C9
//   D7
//   D8
//   D9
package hostile.references;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Reg { static final Map<String,List<Object>> M = new HashMap<>(); static List<Object> of(String s) { return M.get(s); } static final Object[] A = {new ArrayList<>()}; }
class C9 implements Serializable { private Object readResolve() { List<Object> l = (List<Object>) Objects.requireNonNullElseGet(null, () -> Reg.of("x")); l.add(1); return this; } }
class D7 implements Serializable { static final AtomicLong B = new AtomicLong(); private Object readResolve() { LongUnaryOperator o = B::addAndGet; o.applyAsLong(1); return this; } }
class D8 implements Serializable { private Object readResolve() { Consumer<Object> o = Reg.of("x")::add; o.accept(1); return this; } }
class D9 implements Serializable { List<Object> l; private Object readResolve() { l.forEach(Reg.of("x")::add); return this; } }
