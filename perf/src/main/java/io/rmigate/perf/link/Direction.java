package io.rmigate.perf.link;

/** Which way bytes go. */
public enum Direction {
  /** From the side that opened the connection: a client's requests. */
  UP,
  /** Towards the side that opened the connection. */
  DOWN
}
