package io.rmigate.gateway.relay.own;

import java.io.IOException;

/** One of the gateway's own calls has no Return. */
public final class InsideException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient InsideFailure failure;

  InsideException(InsideFailure failure) {
    super(failure.text());
    this.failure = failure;
  }

  InsideException(InsideFailure failure, IOException cause) {
    super(failure.text(), cause);
    this.failure = failure;
  }

  /** Why. */
  public InsideFailure failure() {
    return failure;
  }
}
