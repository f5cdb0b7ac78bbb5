package io.rmigate.client.program.doctor;

/**
 * One thing that was found.
 *
 * @param code for scripts; stays what it is: {@code firewall.rejects}
 * @param seen what was observed, with numbers and other people's words
 * @param meaning what follows from that
 * @param advice what to do next; empty when there is nothing to do
 */
record Finding(Level level, String code, String seen, String meaning, String advice) {

  static Finding good(String code, String seen, String meaning) {
    return new Finding(Level.GOOD, code, seen, meaning, "");
  }

  static Finding note(String code, String seen, String meaning, String advice) {
    return new Finding(Level.NOTE, code, seen, meaning, advice);
  }

  static Finding warning(String code, String seen, String meaning, String advice) {
    return new Finding(Level.WARNING, code, seen, meaning, advice);
  }

  static Finding problem(String code, String seen, String meaning, String advice) {
    return new Finding(Level.PROBLEM, code, seen, meaning, advice);
  }
}
