package io.rmigate.gateway.services;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How slowly a client may send a body, or take an answer: each holds a thread as long as it lasts.
 *
 * @param patience for one of no bytes
 * @param bytesASecond beyond that
 */
public record Pace(Duration patience, long bytesASecond) {

  /** The time that this number of bytes may take. */
  long nanosFor(long bytes) {
    long seconds = bytes / bytesASecond;
    long rest = bytes % bytesASecond;
    return patience.toNanos()
        + TimeUnit.SECONDS.toNanos(seconds)
        + TimeUnit.SECONDS.toNanos(1) * rest / bytesASecond;
  }
}
