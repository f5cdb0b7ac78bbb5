package io.rmigate.client.command;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Keeps what the client logs out of the output of commands that end by themselves, unless the user
 * has configured logging. Without the module java.logging nothing is logged in this form anyway.
 */
final class QuietLog {
  /** Kept, because the JDK's log manager forgets the level of a logger without references. */
  private static Logger logger;

  private QuietLog() {}

  /** Only what is at least a warning is logged from now on. */
  static void warningsOnly() {
    atLeast("WARNING");
  }

  /** Nothing is logged from now on: whoever calls this says all of it in its own words. */
  static void nothing() {
    atLeast("OFF");
  }

  private static void atLeast(String level) {
    if (System.getProperty("java.util.logging.config.file") == null
        && System.getProperty("java.util.logging.config.class") == null
        && ModuleLayer.boot().findModule("java.logging").isPresent()) {
      logger = Logger.getLogger("io.rmigate");
      logger.setLevel(Level.parse(level));
    }
  }
}
