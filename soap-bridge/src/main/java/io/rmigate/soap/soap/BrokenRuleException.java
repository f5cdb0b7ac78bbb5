package io.rmigate.soap.soap;

import java.io.IOException;

/** A body breaks one of our own rules, below what a parser sees. The message is for its sender. */
final class BrokenRuleException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param rule a clause of which the request is the subject
   */
  BrokenRuleException(String rule) {
    super(rule);
  }
}
