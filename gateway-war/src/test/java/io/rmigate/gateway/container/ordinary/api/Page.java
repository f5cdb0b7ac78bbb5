package io.rmigate.gateway.container.ordinary.api;

import java.io.Serializable;
import java.util.List;

/** A part of a result. */
@SuppressWarnings("serial")
public class Page<T extends Serializable> implements Serializable {
  private final List<T> content;
  private final T first;
  private final long total;

  public Page(List<T> content, long total) {
    this.content = content;
    this.first = content.isEmpty() ? null : content.get(0);
    this.total = total;
  }

  @Override
  public String toString() {
    return content + " from " + first + " of " + total;
  }
}
