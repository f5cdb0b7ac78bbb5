// Collections that claim or invent elements.
//   Countdown
//   Endless
//   Range
package hostile.inventedelements;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Range extends AbstractList<Integer> implements Serializable {
  private int from, to;
  Range(int f, int t) { from = f; to = t; }
  public Integer get(int i) { return from + i; }
  public int size() { return to - from; }
}
class Endless extends AbstractCollection<Integer> implements Serializable {
  public Iterator<Integer> iterator() { return new Each(); }
  public int size() { return 1; }
  static class Each implements Iterator<Integer> { public boolean hasNext() { return true; } public Integer next() { return 1; } }
}
class Countdown extends AbstractSet<Integer> implements Serializable {
  private int count;
  public Iterator<Integer> iterator() { return new Iterator<Integer>() { int left = count; public boolean hasNext() { return left > 0; } public Integer next() { return left--; } }; }
  public int size() { return count; }
}
