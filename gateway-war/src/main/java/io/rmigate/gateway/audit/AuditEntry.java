package io.rmigate.gateway.audit;

import io.rmigate.gateway.policy.Refusal;
import java.util.EnumMap;
import java.util.Map;

/**
 * One entry of the audit. One thread builds it and passes it to {@link AuditTrail#add}; it must not
 * be changed afterwards. What a field is given is made text by the writer's thread, so it must not
 * change: texts, records, enums, numbers.
 */
public final class AuditEntry {
  /** The verdict about an event that policy permits. */
  public static final String ALLOWED = "allowed";

  /** The verdict about an event that the gateway refused. */
  public static final String REFUSED = "refused";

  private final AuditEvent event;
  private final long millis = System.currentTimeMillis();
  private final Map<AuditField, Object> values = new EnumMap<>(AuditField.class);
  private AuditOutcome outcome;

  private AuditEntry(AuditEvent event) {
    this.event = event;
  }

  /** An entry about an event whose outcome is not known yet. */
  public static AuditEntry of(AuditEvent event) {
    return new AuditEntry(event);
  }

  /** An entry about an event with its outcome. */
  public static AuditEntry of(AuditEvent event, AuditOutcome outcome) {
    return new AuditEntry(event).outcome(outcome);
  }

  /** Sets the outcome of the event. */
  public AuditEntry outcome(AuditOutcome next) {
    outcome = next;
    return this;
  }

  /**
   * Gives a field its value; an empty text or null leaves it out. Of a long text only as much is
   * kept as its line will have: clients choose how long it is, and many entries may wait.
   */
  public AuditEntry with(AuditField field, Object value) {
    if (value == null || "".equals(value)) {
      values.remove(field);
    } else if (value instanceof String text) {
      values.put(field, AuditLine.cut(text));
    } else {
      values.put(field, value);
    }
    return this;
  }

  /** Gives a field its number. */
  public AuditEntry with(AuditField field, long value) {
    values.put(field, value);
    return this;
  }

  /**
   * Policy refuses it, by that rule; with the number, why, where it stood, and what would allow it.
   */
  public AuditEntry refused(String rule, Refusal refusal) {
    return refusedBy(rule)
        .with(AuditField.REFUSAL, refusal.number())
        .with(AuditField.REASON, refusal.reason())
        .with(AuditField.PLACE, refusal.place())
        .with(AuditField.REMEDY, refusal.advice());
  }

  /** Policy refuses it, by that rule. */
  AuditEntry refusedBy(String rule) {
    return outcome(AuditOutcome.REFUSED)
        .with(AuditField.VERDICT, REFUSED)
        .with(AuditField.RULE, rule);
  }

  /** The event that this entry is about. */
  public AuditEvent event() {
    return event;
  }

  /** The outcome of the event; null while the outcome is not known. */
  public AuditOutcome outcome() {
    return outcome;
  }

  /** The time when this entry was made, in milliseconds since 1970, by the machine's clock. */
  long millis() {
    return millis;
  }

  /** The value of a field; null when the entry leaves the field out. */
  Object value(AuditField field) {
    return values.get(field);
  }

  /** For people; the values of a test's failure. */
  @Override
  public String toString() {
    return event.word() + " " + outcome + " " + values;
  }
}
