package io.rmigate.soap.publish;

/**
 * Something of an interface that clients cannot have.
 *
 * @param subject a method with the simple names of its parameters' types, or an exception of it
 * @param reason why not
 * @param remedy what to change, in the code or in the configuration
 */
public record Refusal(String subject, String reason, String remedy) {
  @Override
  public String toString() {
    return subject + ": " + reason + "; " + remedy;
  }
}
