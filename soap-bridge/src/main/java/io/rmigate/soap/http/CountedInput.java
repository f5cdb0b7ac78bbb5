package io.rmigate.soap.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A body whose bytes are counted as they are read. Of one thread. */
public abstract class CountedInput extends FilterInputStream {

  protected CountedInput(InputStream body) {
    super(body);
  }

  /**
   * Counts bytes that were read; not called at the end of the body.
   *
   * @throws IOException the bytes are refused; the reader gets this exception
   */
  protected abstract void count(int bytes) throws IOException;

  @Override
  public final int read() throws IOException {
    int b = super.read();
    count(b < 0 ? 0 : 1);
    return b;
  }

  @Override
  public final int read(byte[] target, int offset, int length) throws IOException {
    int got = super.read(target, offset, length);
    count(Math.max(got, 0));
    return got;
  }

  @Override
  public final long skip(long count) {
    throw new UnsupportedOperationException();
  }

  @Override
  public final boolean markSupported() {
    return false;
  }
}
