package io.rmigate.perf.speed;

import java.util.Locale;

/** What is compared. */
enum Contestant {
  /** The client talks to the server: what everything is measured by. */
  PLAIN,
  /** Each connection over a WebSocket of its own, through a relay that does nothing. */
  RELAY,
  /** Through the gateway. */
  RMIGATE;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
