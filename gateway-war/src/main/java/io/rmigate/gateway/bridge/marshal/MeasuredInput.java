package io.rmigate.gateway.bridge.marshal;

import java.io.IOException;
import java.io.InputStream;

/** Takes room for what is read, a piece at a time: of small answers for nothing. */
final class MeasuredInput extends InputStream {
  private static final int PIECE_BYTES = 16 * 1024;

  private final InputStream in;
  private final Allowance allowance;
  private int left = PIECE_BYTES;

  MeasuredInput(InputStream in, Allowance allowance) {
    this.in = in;
    this.allowance = allowance;
  }

  @Override
  public int read() throws IOException {
    int b = in.read();
    count(1);
    return b;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    int count = in.read(target, offset, length);
    count(count);
    return count;
  }

  @Override
  public int available() throws IOException {
    return in.available();
  }

  private void count(int bytes) throws AnswerRefusedException {
    left -= bytes;
    if (left < 0) {
      if (!allowance.take((long) PIECE_BYTES - left)) {
        throw new AnswerRefusedException(ReplyFilter.TOO_MUCH_IN_ALL);
      }
      left = PIECE_BYTES;
    }
  }
}
