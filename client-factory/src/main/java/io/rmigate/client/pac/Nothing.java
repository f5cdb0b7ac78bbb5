package io.rmigate.client.pac;

/** The two values that are none. */
enum Nothing {
  UNDEFINED("undefined"),
  NULL("null");

  private final String text;

  Nothing(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
