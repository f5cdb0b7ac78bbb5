package io.rmigate.client.instrument;

import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/**
 * Keeps what the agent logs below a warning out of the program's output, which is not the agent's:
 * jconsole, for one, opens a window for it. A level for {@code io.rmigate} in the configuration of
 * java.util.logging, or one that the program has set, stands.
 */
final class DefaultLogLevel {
  private static final String OURS = "io.rmigate";

  /** Kept, because the JDK's log manager forgets the level of a logger without references. */
  private static Logger logger;

  private DefaultLogLevel() {}

  /** Called once, when the agent is about to log for the first time. */
  static void apply() {
    if (ModuleLayer.boot().findModule("java.logging").isPresent()) {
      logger = Logger.getLogger(OURS);
      if (logger.getLevel() == null
          && LogManager.getLogManager().getProperty(OURS + ".level") == null) {
        logger.setLevel(Level.WARNING);
      }
    }
  }
}
