package io.rmigate.client.jvm;

import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/**
 * Keeps what rmigate logs out of output that is not its own: that of the program beside the agent
 * (jconsole, for one, opens a window for it), and that of commands that end by themselves. A level
 * for {@code io.rmigate} in the configuration of java.util.logging, or one that the program has
 * set, stands. Without the module java.logging nothing is logged in this form anyway.
 */
public final class DefaultLogLevel {
  private static final String OURS = "io.rmigate";

  /** Kept, because the JDK's log manager forgets the level of a logger without references. */
  private static Logger logger;

  private static volatile String prepared;

  private DefaultLogLevel() {}

  /**
   * Names the level that {@link #applyPrepared} sets. Touches no logger: the application may choose
   * its log manager later.
   */
  public static void prepare(String level) {
    prepared = level;
  }

  /** Sets the level that was prepared, if one was; called before rmigate logs in this JVM. */
  public static void applyPrepared() {
    String level = prepared;
    if (level != null) {
      prepared = null;
      apply(level);
    }
  }

  /** Called once, before rmigate logs for the first time; {@code level} is a name of a level. */
  public static void apply(String level) {
    if (ModuleLayer.boot().findModule("java.logging").isPresent()) {
      logger = Logger.getLogger(OURS);
      if (logger.getLevel() == null
          && LogManager.getLogManager().getProperty(OURS + ".level") == null) {
        logger.setLevel(Level.parse(level));
      }
    }
  }
}
