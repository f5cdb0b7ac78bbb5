package io.rmigate.gateway.amplification;

import java.io.Serializable;

/** An element of a linked list. */
public final class ChainLink implements Serializable {
  private static final long serialVersionUID = 1;

  public String name;

  /** Null in the last element. */
  public ChainLink next;

  /** A chain of {@code length} elements. */
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
