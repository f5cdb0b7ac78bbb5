// Exceptions that are made and not thrown.
//   Traced
package hostile.stacktraces;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Traced implements Serializable { transient Throwable t; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { in.defaultReadObject(); t = new Throwable(); } }
