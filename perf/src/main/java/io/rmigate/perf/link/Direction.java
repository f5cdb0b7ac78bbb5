package io.rmigate.perf.link;

/** Which way bytes go. */
public enum Direction {
  /** From whoever opened the connection: a client's requests. */
  UP,
  /** Towards whoever opened the connection. */
  DOWN
}
