// Methods of superclasses that make texts of what an object leads to.
//   Ev
//   Named
//   Rm
//   SubMap
package hostile.textsofsuper;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Named implements Serializable { Object next; transient String id; public int hashCode() { return next.hashCode(); } private Object readResolve() { id = super.toString(); return this; } }
class Rm extends java.rmi.RemoteException { public String getMessage() { return super.getMessage() + super.getMessage(); } public int hashCode() { return getMessage().hashCode(); } }
class Ev extends EventObject { Object next; Ev(Object o) { super(o); } public int hashCode() { return super.toString().hashCode(); } }
class SubMap extends HashMap<Object,Object> { Object next; transient String id; private Object readResolve() { id = super.toString(); return this; } }
