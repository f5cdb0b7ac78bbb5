package io.rmigate.perf.amplification;

import java.io.Serializable;

/** One of a chain. */
public final class ChainLink implements Serializable {
  private static final long serialVersionUID = 1;

  /** What it is called. */
  public String name;

  /** Null: it is the last. */
  public ChainLink next;

  /** A chain of so many. */
  static ChainLink chain(int length) {
    ChainLink first = null;
    for (int i = 0; i < length; i++) {
      ChainLink link = new ChainLink();
      link.name = "link " + i;
      link.next = first;
      first = link;
    }
    return first;
  }
}
