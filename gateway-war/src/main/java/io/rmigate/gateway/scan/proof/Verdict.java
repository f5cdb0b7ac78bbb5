package io.rmigate.gateway.scan.proof;

import java.util.List;

/**
 * The result of the proof for one class.
 *
 * @param className as in {@link Class#getName}
 * @param proven whether reading one of its objects is harmless
 * @param path why it is not proven: from the method that reading an object runs, call by call, to
 *     what may do harm; empty if it is proven
 */
public record Verdict(String className, boolean proven, List<String> path) {
  /** Its own list. */
  public Verdict {
    path = List.copyOf(path);
  }

  /** The harmful code, in a few words; empty if the class is proven. */
  public String reason() {
    return path.isEmpty() ? "" : path.get(path.size() - 1);
  }
}
