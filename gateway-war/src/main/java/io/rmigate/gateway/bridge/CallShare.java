package io.rmigate.gateway.bridge;

import java.util.Optional;

/** The share of the limits that one call takes, where there are limits. Thread-safe. */
public interface CallShare extends AutoCloseable {
  /** The share of a call without limits. */
  CallShare UNLIMITED =
      new CallShare() {
        @Override
        public Optional<String> refusedBy() {
          return Optional.empty();
        }

        @Override
        public void carried(long bytes) {}

        @Override
        public void close() {}
      };

  /**
   * The limit by which the call is too much, as metrics and audit call it; empty: it may be made.
   */
  Optional<String> refusedBy();

  /** Bytes of the call, or of its answer, have passed. */
  void carried(long bytes);

  /** The call is answered, or will not be. Idempotent. */
  @Override
  void close();
}
