package io.rmigate.client.program.doctor;

import java.util.Locale;

/** The severity of a finding. */
enum Level {
  /** The subject of the finding is as it should be. */
  GOOD,
  /** Good to know; nothing has to be done. */
  NOTE,
  /** The subject of the finding works, and will cause trouble. */
  WARNING,
  /** The subject of the finding does not work. */
  PROBLEM;

  /** The name of the level, for JSON and people. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
