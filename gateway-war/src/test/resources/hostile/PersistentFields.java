// Transient fields that a stream fills.
//   Persistent
package hostile.persistentfields;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Persistent implements Serializable { private static final ObjectStreamField[] serialPersistentFields = { new ObjectStreamField("size", int.class) }; private transient int size; private transient Object[] slots; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { in.defaultReadObject(); slots = new Object[size]; } }
