// Static state that goes through interfaces of the JDK.
//   Passes
//   Shared
//   Uses
package hostile.passedbyinterfaces;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Reg { static final List<Object> ALL = new ArrayList<>(); }
class Adder implements Consumer<List<Object>>, Serializable { public void accept(List<Object> l) { l.add(this); } }
class Passes implements Serializable { private Consumer<List<Object>> c; private Object readResolve() { c.accept(Reg.ALL); return this; } }
class Shared implements Supplier<List<Object>>, Serializable { public List<Object> get() { return Reg.ALL; } }
class Uses implements Serializable { private Supplier<List<Object>> s; private Object readResolve() { s.get().add(this); return this; } }
