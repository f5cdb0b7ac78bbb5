package io.rmigate.gateway.audit;

import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Keeps entries for tests, of all events or of some. */
public final class RecordedAudit implements AuditTrail {
  private final Queue<AuditEntry> entries = new ConcurrentLinkedQueue<>();
  private final Set<AuditEvent> events;
  private volatile boolean full;

  /** Of all events. */
  public RecordedAudit() {
    this(Set.of(AuditEvent.values()));
  }

  /** Of these events. */
  public RecordedAudit(Set<AuditEvent> events) {
    this.events = Set.copyOf(events);
  }

  @Override
  public boolean records(AuditEvent event) {
    return events.contains(event);
  }

  @Override
  public void add(AuditEntry entry) {
    boolean refused = AuditEntry.REFUSED.equals(entry.value(AuditField.VERDICT));
    if (refused && entry.value(AuditField.REFUSAL) == null) {
      throw new AssertionError("a refusal without a number: " + entry);
    }
    if (records(entry.event())) {
      entries.add(entry);
    }
  }

  @Override
  public boolean refusesWork() {
    return full;
  }

  /** As if the disk were full, and nothing new were to be let in. */
  public void full(boolean now) {
    full = now;
  }

  /** All of an event so far. */
  public List<AuditEntry> of(AuditEvent event) {
    return entries.stream().filter(entry -> entry.event() == event).toList();
  }

  /** Those with an outcome. */
  public List<AuditEntry> of(AuditEvent event, AuditOutcome outcome) {
    return of(event).stream().filter(entry -> entry.outcome() == outcome).toList();
  }

  /** What a field of an entry says, as it would be written; empty when it is left out. */
  public static String text(AuditEntry entry, AuditField field) {
    Object value = entry.value(field);
    return value == null ? "" : value.toString();
  }

  /** All lines, as they would be written. */
  public String lines() {
    StringBuilder lines = new StringBuilder();
    long number = 0;
    for (AuditEntry entry : entries) {
      lines
          .append(
              new String(
                  AuditLine.encode(++number, entry), java.nio.charset.StandardCharsets.US_ASCII))
          .append('\n');
    }
    return lines.toString();
  }
}
