package io.rmigate.gateway.services;

import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditField;
import io.rmigate.gateway.audit.AuditOutcome;
import io.rmigate.gateway.bridge.CallRefusal;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.soap.call.CallFailure;
import io.rmigate.soap.json.Problem;
import java.rmi.NoSuchObjectException;
import java.util.Optional;

/**
 * What has come of a call of a remote object, as the audit says it.
 *
 * @param reason for people inside; may be empty
 * @param refusal empty: it was not refused
 */
record CallEnd(AuditOutcome outcome, String reason, Optional<CallRefusal> refusal) {
  /** The call is in progress, or the gateway has failed meanwhile. */
  static final CallEnd UNKNOWN = new CallEnd(AuditOutcome.PERMITTED, "");

  static final CallEnd RETURNED = new CallEnd(AuditOutcome.RETURNED, "");

  private CallEnd(AuditOutcome outcome, String reason) {
    this(outcome, reason, Optional.empty());
  }

  private CallEnd(CallRefusal refusal) {
    this(AuditOutcome.REFUSED, refusal.reason(), Optional.of(refusal));
  }

  /** The end of a call without a result. */
  static CallEnd of(CallFailure failure) {
    return CallRefusal.of(failure).map(CallEnd::new).orElseGet(() -> unrefused(failure));
  }

  private static CallEnd unrefused(CallFailure failure) {
    return switch (failure.kind()) {
      case THROWN -> new CallEnd(AuditOutcome.THREW, ""); // the message may be a secret
      case LOST -> new CallEnd(AuditOutcome.SERVER_CLOSED, failure.getMessage());
      case TIMED_OUT -> new CallEnd(AuditOutcome.TIMED_OUT, failure.getMessage());
      case UNREACHABLE ->
          new CallEnd(
              failure.getCause() instanceof NoSuchObjectException
                  ? AuditOutcome.THREW
                  : AuditOutcome.NOT_CONNECTED,
              failure.getMessage());
      case NOT_PERMITTED, NOT_SENDABLE, ANSWER_REFUSED, TOO_MANY ->
          throw new AssertionError(failure);
    };
  }

  /** The call returned a reference that is not held for the client, which gets no result. */
  static CallEnd unheld(CallFailure failure) {
    Problem.Kind kind =
        failure.kind() == CallFailure.Kind.TOO_MANY
            ? Problem.Kind.TOO_MANY_REFERENCES
            : Problem.Kind.NOT_FOUND;
    return refused(ServiceRefusedException.rule(kind), "reply: " + failure.getMessage());
  }

  /** The call is refused by the rule. */
  static CallEnd refused(String rule, String reason) {
    return new CallEnd(new CallRefusal(rule, reason, "", "", ""));
  }

  /** Whether the server has answered, so that all that is left is to pass that on. */
  private boolean isAnswered() {
    return outcome == AuditOutcome.RETURNED || outcome == AuditOutcome.THREW;
  }

  /**
   * Says so.
   *
   * @param target as the entry has it
   * @param told whether the client was still there
   * @param number of the refusal, if it is one
   */
  void tell(AuditEntry entry, String target, boolean told, Refusal number) {
    entry
        .outcome(isAnswered() && !told ? AuditOutcome.ABANDONED : outcome)
        .with(AuditField.REASON, reason);
    refusal.ifPresent(
        by ->
            entry
                .refused(by.rule(), number)
                .with(AuditField.CLASS, by.className())
                .with(AuditField.ENDPOINT, by.endpoint().equals(target) ? "" : by.endpoint()));
  }
}
