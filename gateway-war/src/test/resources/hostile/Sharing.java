// Many objects that go through one list.
//   Defensive
//   Made
package hostile.sharing;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Defensive implements Serializable { private List<Object> l; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { in.defaultReadObject(); l = new ArrayList<>(l); } }
record Made(String name, List<String> lines) implements Serializable { Made { lines = List.copyOf(lines); } }   // the test's own example
