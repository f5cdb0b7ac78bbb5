package io.rmigate.client.pac;

/** The two values that are none. */
enum EmptyValue {
  UNDEFINED("undefined"),
  NULL("null");

  private final String text;

  EmptyValue(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
