package io.rmigate.client.ladder;

import io.rmigate.client.config.Way;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * One way that was tried by itself, and what has come of it.
 *
 * @param took until the outcome was known
 * @param words one sentence for people: what was reached, or what failed and what to do about it
 * @param failure behind the words; empty when it was reached
 */
public record Attempt(
    Way way, AttemptOutcome outcome, Duration took, String words, Optional<IOException> failure) {

  /** Whether this way leads there. */
  public boolean isReached() {
    return outcome == AttemptOutcome.REACHED;
  }
}
