package io.rmigate.gateway.relay;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends only the part that has failed, after any throwable, an {@link Error} included: all sessions
 * share the relay threads, and a thread that dies of the bytes of one session would leave the
 * streams of all others hanging.
 */
public final class Containment {
  private static final Logger LOG = LoggerFactory.getLogger(Containment.class);

  /** Logs the failure and ends its owner; never throws. */
  public static void contain(Object owner, Throwable failure, Runnable ending) {
    log(owner, failure);
    try {
      ending.run();
    } catch (Throwable another) {
      log(owner, another);
    }
  }

  private static void log(Object owner, Throwable failure) {
    try {
      LOG.error("{}: unexpected failure; it is closed", owner, failure);
    } catch (Throwable nothingLeft) { // for the log itself, such as memory
      return;
    }
  }

  private Containment() {}
}
