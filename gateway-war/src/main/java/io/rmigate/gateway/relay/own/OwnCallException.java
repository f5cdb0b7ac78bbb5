package io.rmigate.gateway.relay.own;

import java.io.IOException;

/** One of the gateway's own calls has no Return. */
public final class OwnCallException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient OwnCallFailure failure;

  OwnCallException(OwnCallFailure failure) {
    super(failure.text());
    this.failure = failure;
  }

  OwnCallException(OwnCallFailure failure, IOException cause) {
    super(failure.text(), cause);
    this.failure = failure;
  }

  /** Why. */
  public OwnCallFailure failure() {
    return failure;
  }
}
