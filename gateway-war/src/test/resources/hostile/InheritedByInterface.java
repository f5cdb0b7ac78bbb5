// Methods of an interface of the jars that a class has from one of the JDK.
//   Cleaner0
//   Waits
package hostile.inheritedbyinterface;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

interface Deletable { boolean delete(); }
class TempFile extends File implements Deletable { TempFile(String s) { super(s); } }
class Cleaner0 implements Serializable { private Deletable file; private Object readResolve() { file.delete(); return this; } }
interface Source<T> { T take() throws InterruptedException; }
class Inbox extends LinkedBlockingQueue<Object> implements Source<Object> {}
class Waits implements Serializable { private Source<Object> source; private Object readResolve() { try { return source.take(); } catch (InterruptedException e) { return null; } } }
