// Exceptions carry static state.
//   ByThrow
//   ByThrow2
package hostile.exceptions;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Found extends RuntimeException { final transient List<Object> list; Found(List<Object> l) { list = l; } }
class Reg { static final List<Object> ALL = new ArrayList<>(); static final RuntimeException FULL = new RuntimeException(); }
class ByThrow implements Serializable { private Object readResolve() { try { throw new Found(Reg.ALL); } catch (Found f) { f.list.add(this); } return this; } }
class ByThrow2 implements Serializable { private void check() { throw Reg.FULL; } private Object readResolve() { try { check(); } catch (RuntimeException f) { f.addSuppressed(new RuntimeException()); } return this; } }
