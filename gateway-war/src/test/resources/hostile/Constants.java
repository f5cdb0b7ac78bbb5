// Constants are numbers, too.
//   Bos
//   Ctor
//   Local
//   Multi
//   Sixty
//   Spin
//   Spin2
//   Stat
//   Table
package hostile.constants;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Multi implements Serializable { private transient long[][] b; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { b = new long[10000][100000]; } }
class Local implements Serializable { private transient long[] b; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { int n = 1 << 30; b = new long[n]; } }
class Stat implements Serializable { private static final int N = Integer.getInteger("x", 1 << 28); private transient long[] b; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { b = new long[N]; } }
class Ctor implements Serializable { private transient Object b; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { b = new ArrayList<>(1 << 30); } }
class Bos implements Serializable { private transient Object b; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { b = new ByteArrayOutputStream(1 << 28); } }
class Sixty implements Serializable { private transient Object b; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { b = new Object[65536]; } }
class Table implements Serializable { private transient int[][] b; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { b = new int[256][]; for (int i = 0; i < 256; i++) b[i] = new int[65536]; } }
class Spin implements Serializable { private Object readResolve() { int h = 0; for (int i = 0; i < 2000000000; i++) for (int j = 0; j < 2000000000; j++) h += i * j; return h == 1 ? null : this; } }
class Spin2 implements Serializable { private Object readResolve() { int h = 0; for (int i = 0; i <= Integer.MAX_VALUE; i++) h += i; return h == 1 ? null : this; } }
