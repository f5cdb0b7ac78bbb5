package io.rmigate.perf.speed;

import java.util.Locale;

/** A compared system. */
enum Contestant {
  /** Plain RMI from client to server: the base of all ratios. */
  PLAIN,
  /** Each connection over a WebSocket of its own, through a relay that does nothing. */
  RELAY,
  /** Through the gateway. */
  RMIGATE,
  /** Through the gateway of an earlier commit, by its agent. */
  BEFORE,
  /** Through a gateway without class rules: {@code classes.mode} is {@code off}. */
  OFF,
  /** JSON over HTTP to the gateway's web-service front, which calls the server. */
  JSON,
  /** SOAP to the gateway's web-service front, which calls the server. */
  SOAP,
  /** SOAP to an object that Metro has in its own JVM: no RMI, no gateway. */
  METRO;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
