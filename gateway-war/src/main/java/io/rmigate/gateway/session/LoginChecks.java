package io.rmigate.gateway.session;

import io.rmigate.gateway.login.Principal;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks whether the logins that sessions rest on still hold: whenever {@linkplain #soon told to},
 * which is after a change of the configuration, and once a minute, since keys may be withdrawn
 * where they are downloaded from. On a thread of its own, for the download may take a while.
 */
public final class LoginChecks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LoginChecks.class);
  private static final Duration EVERY = Duration.ofMinutes(1);

  private final SessionRegistry sessions;
  private final Predicate<Principal> holds;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread made = new Thread(task, "rmigate-logins");
            made.setDaemon(true);
            return made;
          });
  private final Future<?> checking;

  /**
   * Begins at once.
   *
   * @param holds whether a login does; may block
   */
  public LoginChecks(SessionRegistry sessions, Predicate<Principal> holds) {
    this.sessions = sessions;
    this.holds = holds;
    this.checking =
        thread.scheduleWithFixedDelay(
            this::check, EVERY.toNanos(), EVERY.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Asks now, without waiting for it. From any thread. */
  public void soon() {
    try {
      thread.execute(this::check);
    } catch (RejectedExecutionException closed) {
      LOG.debug("logins are no longer checked");
    }
  }

  private void check() {
    try {
      sessions.checkLogins(holds);
    } catch (RuntimeException | LinkageError | AssertionError e) {
      LOG.error(
          "logins of open sessions could not be checked",
          e); // thrown on it would end the checks for good
    }
  }

  @Override
  public void close() {
    checking.cancel(false);
    thread.shutdownNow();
  }
}
