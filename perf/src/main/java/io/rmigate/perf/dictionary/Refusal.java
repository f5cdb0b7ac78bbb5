package io.rmigate.perf.dictionary;

/** A checked exception of an application. */
final class Refusal extends Exception {
  private static final long serialVersionUID = 1L;

  Refusal(String message) {
    super(message);
  }
}
