package io.rmigate.client.program.doctor;

/** A cell of the decision table. */
enum TableCell {
  YES("yes"),
  NO("no"),
  /** The doctor could not find out the value for this machine. */
  UNKNOWN("?"),
  /** The value does not matter. */
  ANY("-");

  private final String text;

  TableCell(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }

  static TableCell of(boolean yes) {
    return yes ? YES : NO;
  }

  /** Whether a row that asks for this may apply where the other holds. */
  boolean admits(TableCell here) {
    return this == ANY || here == ANY || here == UNKNOWN || this == here;
  }
}
