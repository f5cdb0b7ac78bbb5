package io.rmigate.gateway.container.ordinary.api;

import java.io.Serializable;

/** Goods of any class. */
public interface Item extends Serializable {
  String label();

  /** The label with a prefix that implementations share. */
  default String described() {
    return "item " + label();
  }
}
