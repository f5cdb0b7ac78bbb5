package io.rmigate.client.program.doctor;

/** A cell of the decision table. */
enum Answer {
  YES("yes"),
  NO("no"),
  /** Of this machine: it could not be found out. */
  UNKNOWN("?"),
  /** It does not matter. */
  ANY("-");

  private final String text;

  Answer(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }

  static Answer of(boolean yes) {
    return yes ? YES : NO;
  }

  /** Whether a row that asks for this may apply where the other holds. */
  boolean admits(Answer here) {
    return this == ANY || here == ANY || here == UNKNOWN || this == here;
  }
}
