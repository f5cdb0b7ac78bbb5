package io.rmigate.soap.soap;

import java.io.IOException;

/** A body breaks one of our own rules, below what a parser sees. The message is for its sender. */
final class BrokenRule extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param rule a clause of which the request is the subject
   */
  BrokenRule(String rule) {
    super(rule);
  }
}
