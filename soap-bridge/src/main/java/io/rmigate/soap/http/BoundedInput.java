package io.rmigate.soap.http;

import java.io.InputStream;

/** A body that fails at the first byte that is too many. */
public final class BoundedInput extends CountedInput {
  private final long bytes;
  private long left;

  public BoundedInput(InputStream body, long bytes) {
    super(body);
    this.bytes = bytes;
    left = bytes;
  }

  @Override
  protected void count(int read) throws BodyTooLargeException {
    left -= read;
    if (left < 0) {
      throw new BodyTooLargeException(bytes);
    }
  }

  /** Bytes so far. */
  public long bytesRead() {
    return bytes - left;
  }
}
