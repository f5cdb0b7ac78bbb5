package io.rmigate.gateway.stream;

import io.rmigate.protocol.jrmp.message.CallHeader;
import java.time.Duration;

/** The Call that a stream has sent on last. Guarded by {@link OpenStream#lock()}. */
final class CallInFlight {
  private final CallHeader header;
  private final long sinceNanos;
  private Duration connecting = Duration.ZERO;

  /**
   * @param sinceNanos when the whole of it, or enough, was here
   */
  CallInFlight(CallHeader header, long sinceNanos) {
    this.header = header;
    this.sinceNanos = sinceNanos;
  }

  /** There is a connection for it. */
  void connected() {
    connecting = Duration.ofNanos(System.nanoTime() - sinceNanos);
  }

  /** How long it has waited for a connection; zero when there was one already. */
  Duration connecting() {
    return connecting;
  }

  CallHeader header() {
    return header;
  }

  Duration age(long now) {
    return Duration.ofNanos(Math.max(0, now - sinceNanos));
  }
}
