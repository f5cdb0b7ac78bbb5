// Methods that have only the name of compareTo.
//   U
//   V
//   V2
package hostile.namedlikeasking;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class T implements Serializable { public int compareTo(Object o) { Runtime.getRuntime().gc(); return 0; } }
class U implements Serializable { T t; public int hashCode() { return t.compareTo(null); } }
class Util { static int compareTo(Object o) { Runtime.getRuntime().gc(); return 0; } }
class V implements Serializable { private Object readResolve() { return Util.compareTo("x") == 0 ? this : null; } }
class V2 implements Serializable { Object o; public int hashCode() { return Util.compareTo(o); } }
