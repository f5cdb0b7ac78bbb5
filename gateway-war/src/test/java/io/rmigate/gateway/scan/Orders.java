package io.rmigate.gateway.scan;

import java.util.ArrayList;
import java.util.List;

/** Orders of some interfaces that calls may name. */
public final class Orders {
  private static final List<String> INTERFACES =
      List.of(
          "java.lang.CharSequence",
          "java.lang.Comparable",
          "java.lang.Cloneable",
          "java.io.Serializable",
          "java.util.Comparator",
          "java.util.Map$Entry");

  private Orders() {}

  /** The one with that number, from 0 to 719. */
  public static String[] of(int number) {
    List<String> left = new ArrayList<>(INTERFACES);
    List<String> order = new ArrayList<>();
    int rest = number;
    while (!left.isEmpty()) {
      order.add(left.remove(rest % left.size()));
      rest /= left.size() + 1;
    }
    return order.toArray(String[]::new);
  }
}
