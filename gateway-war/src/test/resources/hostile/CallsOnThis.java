// Methods of a superclass that call hashCode and toString of a subclass.
//   Base
//   Sub
//   TextBase
//   TextSub
package hostile.callsonthis;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

abstract class TextBase implements Serializable { int twice() { return toString().hashCode() + 31 * toString().hashCode(); } public int hashCode() { return twice(); } }
class TextSub extends TextBase { Object next; public String toString() { return "x" + next; } }
abstract class Base implements Serializable { transient int hash; private Object readResolve() { hash = hashCode(); return this; } }   // asks in READING: URL (network), shared structures (exponential)
class Sub extends Base { Object next; public int hashCode() { return next.hashCode(); } }
