package io.rmigate.gateway.container.ordinary.api;

import java.io.Serializable;
import java.util.Comparator;

/** A comparator that is sent. */
@SuppressWarnings("serial")
public final class ByName implements Comparator<Person>, Serializable {
  @Override
  public int compare(Person one, Person other) {
    return one.getName().compareTo(other.getName());
  }

  @Override
  public String toString() {
    return "by name";
  }
}
