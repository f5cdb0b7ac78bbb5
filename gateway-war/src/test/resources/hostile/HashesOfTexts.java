// Hash codes of texts while reading.
//   HashName
//   Sw
package hostile.hashesoftexts;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Sw implements Serializable { String kind; private Object readResolve() { switch (kind) { case "a": return this; case "b": return null; default: return this; } } }
class HashName implements Serializable { String name; transient int hash; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { in.defaultReadObject(); hash = name.hashCode(); } }
