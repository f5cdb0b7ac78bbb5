// Methods that call each other twice along a chain.
//   ByLambda
//   ByRunnable
//   Halves
//   Visited
package hostile.doubling;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Visited implements Serializable { private Visited next; void visit() { if (next != null) { next.visit(); next.visit(); } } public int hashCode() { visit(); return 1; } }
class Halves implements Serializable { private Halves left, right; int depth() { return left == null ? 1 : left.depth() + right.depth(); } public int hashCode() { return depth(); } }
class ByRunnable implements Runnable, Serializable { private Runnable next; public void run() { if (next != null) { next.run(); next.run(); } } }
class ByLambda implements Serializable { private ByLambda next; void visit() { if (next != null) { Runnable r = () -> next.visit(); r.run(); r.run(); } } public int hashCode() { visit(); return 1; } }
