// What a constructor takes from static fields is in the new object.
//   ByExternal
//   ByExternal2
//   ByHolder
//   ByTop
package hostile.constructors;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Holder { final List<Object> list; Holder() { list = Reg.ALL; } }
class Reg { static final List<Object> ALL = new ArrayList<>(); static List<Object> get() { return ALL; } }
class ByHolder implements Serializable { private Object readResolve() { new Holder().list.add(this); return this; } }
class ByExternal implements Externalizable { private final List<Object> all = Reg.ALL; public ByExternal() {} public void writeExternal(ObjectOutput out) {} public void readExternal(ObjectInput in) { all.add(this); } }
class ByExternal2 implements Externalizable { private final List<Object> all = Reg.get(); public ByExternal2() {} public void writeExternal(ObjectOutput out) {} public void readExternal(ObjectInput in) { all.add(this); } }
class Top { final List<Object> all = Reg.ALL; }
class ByTop extends Top implements Serializable { private Object readResolve() { all.add(this); return this; } }
