package io.rmigate.gateway.stream;

import io.rmigate.gateway.limit.PendingWork;
import io.rmigate.gateway.limit.WorkLimiter;
import io.rmigate.gateway.log.RareLines;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.policy.RefusalLine;
import java.util.function.Supplier;
import org.slf4j.Logger;

/**
 * The log lines, texts and counts that follow when something of a session is refused. Thread-safe.
 */
public final class SessionRefusals {
  private final SessionStanding standing;
  private final Supplier<String> peer;
  private final RareLines lines;
  private final PendingWork chores;
  private final Lockout lockout;

  /**
   * @param peer {@code address:port} of the agent's latest connection
   * @param lines bounds the lines that callers can have written at will
   * @param chores counts refusals as work that was asked for
   */
  public SessionRefusals(
      SessionStanding standing,
      Supplier<String> peer,
      RareLines lines,
      PendingWork chores,
      Lockout lockout) {
    this.standing = standing;
    this.peer = peer;
    this.lines = lines;
    this.chores = chores;
    this.lockout = lockout;
  }

  /** Counts different refusals towards a lockout, and says whether there is one. */
  public Lockout lockout() {
    return lockout;
  }

  /** A call, a lookup or a raw stream has been refused. */
  public void count() {
    chores.add(lockout.isOn() ? WorkLimiter.LOCKED_OUT_CALL : WorkLimiter.REFUSED_CALL);
  }

  /** Writes a line that the caller can have written at will, within the bounds of such lines. */
  public void warn(Logger log, String text, Object... arguments) {
    lines.warn(log, standing.caller().toldAs(), text, arguments);
  }

  /** Writes a line that needs no attention, within the bounds of lines that callers can cause. */
  void info(Logger log, String text, Object... arguments) {
    lines.info(log, standing.caller().toldAs(), text, arguments);
  }

  /**
   * Writes the line of a refusal, within the bounds of lines that callers can cause.
   *
   * @param target host and port, fit for a log
   * @param what was refused, such as a call and its method
   */
  public void warnRefused(Logger log, Refusal refusal, String target, String what) {
    warn(
        log,
        "{}",
        new RefusalLine(
            target, what, standing.principal().toString(), refusal, standing.id(), peer.get()));
  }

  /** The text for the agent: with the refusal's number, and its reason where policy says so. */
  public String told(Refusal refusal, String text) {
    return refusal.told(text, standing.policy().explains(standing.principal()));
  }
}
