// What a proxy returns may be any number.
//   BySized
//   Handler
//   RoundsSized
package hostile.proxies;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

interface Sized { int count(); List<Object> list(); }
class Handler implements java.lang.reflect.InvocationHandler, Serializable { private Map<String,Object> values; public Object invoke(Object p, java.lang.reflect.Method m, Object[] a) { return values.get(m.getName()); } }
class ThreeSized implements Sized, Serializable { public int count() { return 3; } public List<Object> list() { return null; } }
class BySized implements Serializable { private Sized s; private transient Object[] b; private Object readResolve() { b = new Object[s.count()]; return this; } }
class RoundsSized implements Serializable { private Sized s; private Object readResolve() { int h = 0; for (int i = 0; i < s.count(); i++) h++; return h > 0 ? this : null; } }
