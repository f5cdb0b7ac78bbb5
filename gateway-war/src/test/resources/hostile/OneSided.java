// Comparisons that go through one object only.
//   HashEq
//   OwnFirst
package hostile.onesided;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class HashEq implements Serializable { Object next; int code; public int hashCode() { return code; } public boolean equals(Object o) { return o instanceof HashEq && next.hashCode() == ((HashEq) o).code; } }
class OwnFirst implements Serializable { Object next; public int hashCode() { return 1; } public boolean equals(Object o) { return next.equals(o); } }
