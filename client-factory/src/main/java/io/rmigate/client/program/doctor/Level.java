package io.rmigate.client.program.doctor;

import java.util.Locale;

/** How much a finding matters. */
enum Level {
  /** As it should be. */
  GOOD,
  /** Good to know; nothing has to be done. */
  NOTE,
  /** It works, and will cause trouble. */
  WARNING,
  /** It does not work. */
  PROBLEM;

  /** For JSON and people. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
