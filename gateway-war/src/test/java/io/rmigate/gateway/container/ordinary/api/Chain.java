package io.rmigate.gateway.container.ordinary.api;

import java.io.Serializable;

/** A linked list of its own, as long as it is deep; may end in itself. */
@SuppressWarnings("serial")
public final class Chain implements Serializable {
  private final int number;
  private Chain next;

  public Chain(int number, Chain next) {
    this.number = number;
    this.next = next;
  }

  /** A chain of that many. */
  public static Chain of(int length) {
    Chain chain = null;
    for (int i = length; i > 0; i--) {
      chain = new Chain(i, chain);
    }
    return chain;
  }

  /** Makes a circle of it. */
  public Chain close() {
    Chain last = this;
    while (last.next != null) {
      last = last.next;
    }
    last.next = this;
    return this;
  }

  @Override
  public String toString() {
    int length = 1;
    long sum = number;
    for (Chain each = next; each != null && each != this; each = each.next) {
      length++;
      sum += each.number;
    }
    return length + " adding up to " + sum;
  }
}
