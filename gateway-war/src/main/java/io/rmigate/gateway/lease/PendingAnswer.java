package io.rmigate.gateway.lease;

import io.rmigate.protocol.tunnel.Leased;

/** A DIRTY that is to be answered. Guarded by the session's lock. */
final class PendingAnswer {
  final long number;

  /** Objects that have not been decided. */
  int awaited;

  private Leased.Outcome outcome = Leased.Outcome.HELD;
  private String text = "";

  PendingAnswer(long number) {
    this.number = number;
  }

  void fail(Leased.Outcome how, String why) {
    outcome = how;
    text = why;
  }

  Leased answer() {
    return new Leased(number, outcome, text);
  }
}
