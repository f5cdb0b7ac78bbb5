package io.rmigate.gateway.scan.proof;

import java.util.List;

/** Harmful code in a method, with the calls that lead there. */
final class HarmException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final transient List<String> way;

  HarmException(List<String> way) {
    super(null, null, false, false);
    this.way = way;
  }

  HarmException(String why) {
    this(List.of(why));
  }

  /** A call a line. */
  List<String> way() {
    return way;
  }
}
