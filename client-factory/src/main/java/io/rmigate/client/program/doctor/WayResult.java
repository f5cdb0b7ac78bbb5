package io.rmigate.client.program.doctor;

import io.rmigate.client.config.Way;
import java.time.Duration;
import java.util.Optional;

/**
 * What has come of one way that was tried by itself.
 *
 * @param words one sentence for people
 * @param obstacle what stopped it; empty when it works, and when it was not tried
 */
record WayResult(Way way, State state, Duration took, String words, Optional<Obstacle> obstacle) {
  enum State {
    WORKS("yes"),
    FAILS("no"),
    NOT_TRIED("not tried");

    private final String text;

    State(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  static WayResult notTried(Way way, String why) {
    return new WayResult(way, State.NOT_TRIED, Duration.ZERO, why, Optional.empty());
  }

  static WayResult works(Way way, Duration took, String words) {
    return new WayResult(way, State.WORKS, took, words, Optional.empty());
  }

  static WayResult fails(Way way, Duration took, Obstacle obstacle, String words) {
    return new WayResult(way, State.FAILS, took, words, Optional.of(obstacle));
  }

  boolean isWorking() {
    return state == State.WORKS;
  }

  /** For the lines that show what is going on: {@code websocket yes 41 ms a gateway …}. */
  String line() {
    return "%-10s %-9s %7s  %s"
        .formatted(
            way.text(),
            state.text(),
            state == State.NOT_TRIED ? "" : took.toMillis() + " ms",
            words);
  }
}
