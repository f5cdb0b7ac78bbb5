package io.rmigate.gateway.policy.rule;

import io.rmigate.gateway.scan.Finding;
import io.rmigate.gateway.scan.ScanResult.Figures;
import java.util.Optional;
import java.util.Set;

/**
 * One rule of calls from one principal to one target, as a {@link RuleType} makes it of what the
 * configuration says. {@code CallRules} asks each rule; what it asks one of them alone, such as
 * whether a class is allowed, is no method here. Immutable; any thread.
 */
public interface CallRule {
  /** The kinds of findings that this rule judges, and no other one. */
  default Set<Finding.Kind> findings() {
    return Set.of();
  }

  /** The objection to a message with a finding of {@link #findings}; empty if there is none. */
  default Optional<Objection> objection(Finding finding) {
    return Optional.empty();
  }

  /** Whether this rule judges how much a message has of something. */
  default boolean isOfFigures() {
    return false;
  }

  /** The objection to a message with these figures; empty if there is none. */
  default Optional<Objection> objection(Figures figures) {
    return Optional.empty();
  }

  /** Whether more speaks against a growing message than what its earlier figures did. */
  default boolean isWorse(Figures now, Figures earlier) {
    return objection(now).isPresent() && objection(earlier).isEmpty();
  }

  /** Advice how to permit the subject, in one line of the log; empty for the usual advice. */
  default Optional<String> advice(Objection objection) {
    return Optional.empty();
  }

  /** Whether a message would be refused of which this was noted. */
  boolean refuses(LearnedNotes.Note note);
}
