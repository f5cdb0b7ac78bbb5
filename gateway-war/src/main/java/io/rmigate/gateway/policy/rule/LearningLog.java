package io.rmigate.gateway.policy.rule;

import io.rmigate.gateway.policy.rule.Objection.Rule;

/** Takes note of what would have been refused. Called with locks held: it must not block. */
public interface LearningLog {
  /** Takes no notes. */
  LearningLog NOTHING = (principal, target, objection) -> {};

  /**
   * A message has passed that enforced rules would have refused.
   *
   * @param target as the client names it, {@code host:port}
   * @param objection one of a {@link Rule} with a remedy can be pasted
   */
  void add(String principal, String target, Objection objection);
}
