// State that grows when it is hashed or compared.
//   Grow
//   Last
//   LastCmp
package hostile.storeslater;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Grow implements Serializable { String t; public int hashCode() { t = t + t; return 1; } }
class Last implements Serializable { transient Object last, prev; public int hashCode() { return last == null ? 0 : last.hashCode() + (prev == null ? 0 : prev.hashCode()); } public boolean equals(Object o) { if (last == null) last = o; else prev = o; return false; } }
class LastCmp implements Comparator<Object>, Serializable { Object last; public int compare(Object a, Object b) { last = a; return 0; } }
