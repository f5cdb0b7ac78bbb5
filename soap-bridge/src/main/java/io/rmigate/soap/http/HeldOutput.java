package io.rmigate.soap.http;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * Keeps back the beginning of an answer, so that what fails there can still become another answer.
 * What is longer goes out as it comes.
 */
public final class HeldOutput extends OutputStream {
  private static final int FIRST_SIZE = 512;

  private final HttpReply reply;
  private final int status;
  private final String contentType;
  private final int most;
  private byte[] held = new byte[FIRST_SIZE];
  private int length;

  /** Null until the head is sent. */
  private OutputStream body;

  public HeldOutput(HttpReply reply, int status, String contentType, int most) {
    this.reply = reply;
    this.status = status;
    this.contentType = contentType;
    this.most = most;
  }

  /** Whether the head is sent: it is too late for another answer. */
  public boolean isBegun() {
    return body != null;
  }

  /** Sends all that is held. */
  public void finish() throws IOException {
    if (body == null) {
      body = nullOutputStream();
      reply.send(status, contentType, held, length);
      held = null;
    } else {
      body.flush();
    }
  }

  private void begin() throws IOException {
    body = reply.begin(status, contentType);
    body.write(held, 0, length);
    held = null;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int count) throws IOException {
    if (body == null && length + count > most) {
      begin();
    }
    if (body != null) {
      body.write(bytes, offset, count);
      return;
    }
    if (length + count > held.length) {
      held = Arrays.copyOf(held, Math.max(2 * held.length, length + count));
    }
    System.arraycopy(bytes, offset, held, length, count);
    length += count;
  }
}
