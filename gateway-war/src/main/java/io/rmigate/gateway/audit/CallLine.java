package io.rmigate.gateway.audit;

import io.rmigate.gateway.policy.Refusal;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The line of a call while the call lasts: what is known of it, its sizes, when its answer began,
 * and how it ended. Where a Return ends only JRMP knows; for the audit it has when nothing of it
 * has come for a second. One call after another. Not thread-safe.
 */
public final class CallLine {
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Consumer<AuditEntry> written;

  /** The entry of the call in progress; null while no recorded call is in progress. */
  private AuditEntry entry;

  /** The outcome of the call; null until a part of the Return has passed. */
  private AuditOutcome outcome;

  private long requestBytes;
  private long answerBytes;
  private long sinceNanos;
  private long lastNanos;

  /**
   * @param written takes each line, when its call is over
   */
  public CallLine(Consumer<AuditEntry> written) {
    this.written = written;
  }

  /** A call begins, the one before being over. */
  public void begin(AuditEntry begun, long bytes) {
    entry = begun;
    requestBytes = bytes;
    answerBytes = 0;
    outcome = null;
    sinceNanos = System.nanoTime();
  }

  /** The entry of the call in progress; empty while no recorded call is in progress. */
  public Optional<AuditEntry> entry() {
    return Optional.ofNullable(entry);
  }

  /** Counts more bytes of the Call. */
  public void more(int bytes) {
    requestBytes += bytes;
  }

  /** Counts bytes of the Return as they pass on. */
  public void answered(ByteBuffer bytes) {
    if (entry == null) {
      return;
    }
    lastNanos = System.nanoTime();
    if (outcome == null) {
      outcome = AuditOutcome.ANSWERED;
      entry.with(AuditField.MICROS, (lastNanos - sinceNanos) / 1000);
    }
    outcome = AuditOutcome.ofReturn(bytes, answerBytes, outcome);
    answerBytes += bytes.remaining();
  }

  /** The call is refused after it has begun, and perhaps after a part of its answer. */
  public void refused(String rule, Refusal refusal) {
    if (entry != null) {
      entry.refused(rule, refusal);
      outcome = AuditOutcome.REFUSED;
      over(AuditOutcome.REFUSED);
    }
  }

  /** Ends the call and writes its line. Has no effect when the call is over already. */
  public void over(AuditOutcome ifUnanswered) {
    AuditEntry ending = entry;
    if (ending == null) {
      return;
    }
    entry = null;
    written.accept(
        ending
            .outcome(outcome == null ? ifUnanswered : outcome)
            .with(AuditField.REQUEST_BYTES, requestBytes)
            .with(AuditField.ANSWER_BYTES, answerBytes));
  }

  /** Looks at the clock: an answer that has been quiet for long is over. */
  public void tick(long now) {
    if (entry != null && outcome != null && now - lastNanos > QUIET_NANOS) {
      over(outcome);
    }
  }
}
