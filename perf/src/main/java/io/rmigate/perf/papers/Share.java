package io.rmigate.perf.papers;

/**
 * A part of some traffic.
 *
 * @param exchanges that ended with it
 */
record Share(int exchanges, long upBytes, long downBytes) {
  Share plus(Share other) {
    return new Share(
        exchanges + other.exchanges, upBytes + other.upBytes, downBytes + other.downBytes);
  }
}
