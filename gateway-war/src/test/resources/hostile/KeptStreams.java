// Streams that are kept, and read out of turn.
//   Keeps
//   Keeps2
package hostile.keptstreams;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Keeps implements Serializable { transient ObjectInputStream in; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { in.defaultReadObject(); this.in = in; } public int hashCode() { try { in.readObject(); } catch (Exception e) { return 0; } return 1; } }
class Keeps2 implements Serializable { transient ObjectInputStream in; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { in.defaultReadObject(); this.in = in; } private Object readResolve() { try { in.readObject(); } catch (Exception e) { return null; } return this; } }
