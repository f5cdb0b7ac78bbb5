package io.rmigate.java8;

import java.util.Objects;

/** What records have of the compiler: the texts and hash codes of their components. */
public final class LaterRecord {
  private LaterRecord() {}

  public static String toString(Object[] components, String type, String names) {
    String[] name = names.split(";");
    StringBuilder text = new StringBuilder(type).append('[');
    for (int i = 0; i < components.length; i++) {
      text.append(i == 0 ? "" : ", ").append(name[i]).append('=').append(components[i]);
    }
    return text.append(']').toString();
  }

  public static int hashCode(Object[] components) {
    int hash = 0;
    for (Object component : components) {
      hash = 31 * hash + Objects.hashCode(component);
    }
    return hash;
  }
}
