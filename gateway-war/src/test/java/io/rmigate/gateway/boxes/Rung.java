package io.rmigate.gateway.boxes;

import java.util.Locale;

/** What of the ladder a client stands on. */
enum Rung {
  DIRECT,
  CONNECT,
  WEBSOCKET,
  POST,
  /** There is no way, and the client says why. */
  NONE;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
