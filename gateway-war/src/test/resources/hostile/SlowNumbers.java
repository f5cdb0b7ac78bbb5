// Numbers and patterns that take long.
//   BigText
//   DecLong
//   Fmt
//   NumberInt
//   Printf
//   Redos
package hostile.slownumbers;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Fmt implements Serializable { private java.math.BigDecimal amount; public String toString() { return String.format("%.2f EUR", amount); } public int hashCode() { return toString().hashCode(); } }
class NumberInt implements Serializable { private Number n; public int hashCode() { return n.intValue(); } }
class DecLong implements Serializable { private java.math.BigDecimal n; public int hashCode() { return (int) n.longValue(); } }
class BigText implements Serializable { private java.math.BigInteger n; public int hashCode() { return n.toString().length(); } }
class Redos implements Serializable { private String s; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { in.defaultReadObject(); if (!s.matches("(a+)+b")) throw new InvalidObjectException("x"); } }
class Printf implements Serializable { private String f; private Object readResolve() { new PrintWriter(new StringWriter()).printf(f, 1); return this; } }
