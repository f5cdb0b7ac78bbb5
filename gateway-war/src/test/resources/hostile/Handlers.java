// Handlers of proxies.
//   HashHandler
//   MapHandler
//   RegexHandler
//   ValueHandler
package hostile.handlers;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class RegexHandler implements java.lang.reflect.InvocationHandler, Serializable { private java.util.regex.Pattern p; private String s; public Object invoke(Object o, java.lang.reflect.Method m, Object[] a) { return p.matcher(s).matches() ? 1 : 0; } }
class HashHandler implements java.lang.reflect.InvocationHandler, Serializable { private Object key; public Object invoke(Object o, java.lang.reflect.Method m, Object[] a) { return key.hashCode(); } }
class MapHandler implements java.lang.reflect.InvocationHandler, Serializable { private Map<String,Object> values; public Object invoke(Object o, java.lang.reflect.Method m, Object[] a) { return values.get(m.getName()); } }
class ValueHandler implements java.lang.reflect.InvocationHandler, Serializable { private Object value; public Object invoke(Object o, java.lang.reflect.Method m, Object[] a) { return value; } }
