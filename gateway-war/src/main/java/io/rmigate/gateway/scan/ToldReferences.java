package io.rmigate.gateway.scan;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

/**
 * The references that were told of one message so far. Of what was told earlier there are views,
 * and nothing is copied for them: a message may come in very many pieces. Confined to the scanning
 * thread, but for those.
 */
final class ToldReferences {
  private static final int FEW = 4;

  /** Memory of a reference beside its host, with its places here and in the results. */
  private static final int BYTES = 320;

  private SeenReference[] all = new SeenReference[FEW];
  private int count;
  private long bytes;

  /** The first ones; what comes later changes nothing of it. */
  private static final class View extends AbstractList<SeenReference> implements RandomAccess {
    private final SeenReference[] all;
    private final int count;

    View(SeenReference[] all, int count) {
      this.all = all;
      this.count = count;
    }

    @Override
    public SeenReference get(int index) {
      return all[Objects.checkIndex(index, count)];
    }

    @Override
    public int size() {
      return count;
    }
  }

  void add(SeenReference seen) {
    if (count == all.length) {
      all = Arrays.copyOf(all, 2 * count);
    }
    all[count++] = seen;
    bytes += BYTES + seen.reference().host().length();
  }

  int size() {
    return count;
  }

  /** About as many bytes as they take. */
  long bytes() {
    return bytes;
  }

  /** The references told so far. */
  List<SeenReference> view() {
    return new View(all, count);
  }

  /** An unmodifiable list of these references: the list itself if it is such a view. */
  static List<SeenReference> unchanging(List<SeenReference> some) {
    return some instanceof View ? some : List.copyOf(some);
  }
}
