// Static state in an object of a message, for another class to change it there.
//   Hides
//   HidesInMap
//   HidesInSub
package hostile.hiddenstate;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Reg { static final List<Object> ALL = new ArrayList<>(); }
class Box implements Serializable { List<Object> list; }
class Hides implements Serializable { private Box box; private Object readResolve() { box.list = Reg.ALL; return this; } }
class HidesInMap implements Serializable { private Map<String,Object> map; private Object readResolve() { map.put("x", Reg.ALL); return this; } }
class HidesInSub implements Serializable { private transient Box box; private Object readResolve() { box = new Filled(); return this; } }
class Filled extends Box { Filled() { list = Reg.ALL; } }
