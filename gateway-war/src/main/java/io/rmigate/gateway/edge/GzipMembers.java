package io.rmigate.gateway.edge;

import io.rmigate.soap.http.DamagedBodyException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * What a gzip file inflates to (RFC 1952): its members one after the other, with nothing between
 * them or behind the last one. {@link java.util.zip.GZIPInputStream} passes over bytes behind a
 * member, and finds the next member only if enough of it has come with the one before. Of one
 * thread.
 */
final class GzipMembers extends InputStream {
  /** Few, because a bound on what they inflate to is only seen once they are read. */
  private static final int BUFFER_BYTES = 512;

  private static final int MAGIC_1 = 0x1f;
  private static final int MAGIC_2 = 0x8b;
  private static final int DEFLATE = 8;

  /** Bits of the flags. */
  private static final int FHCRC = 2;

  private static final int FEXTRA = 4;
  private static final int FNAME = 8;
  private static final int FCOMMENT = 16;
  private static final int RESERVED = 0xe0;

  /** Bytes of mtime, extra flags and operating system. */
  private static final int IGNORED_BYTES = 6;

  private final InputStream in;
  private final Inflater inflater = new Inflater(true);
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int position;
  private int limit;
  private final CRC32 checksum = new CRC32();
  private boolean inMember;
  private boolean finished;

  /** Reads nothing yet. */
  GzipMembers(InputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (!finished) {
      if (!inMember) {
        beginMember();
      }
      int got = inflate(target, offset, length);
      checksum.update(target, offset, got);
      if (inflater.finished()) {
        endMember();
      }
      if (got > 0) {
        return got;
      }
    }
    return -1;
  }

  private int inflate(byte[] target, int offset, int length) throws IOException {
    try {
      while (true) {
        int got = inflater.inflate(target, offset, length);
        if (got > 0 || inflater.finished()) {
          return got;
        }
        if (inflater.needsDictionary() || (position == limit && !fill())) {
          throw damaged();
        }
        inflater.setInput(buffer, position, limit - position);
        position = limit;
      }
    } catch (DataFormatException wrong) {
      throw damaged();
    }
  }

  private void beginMember() throws IOException {
    int flags = -1;
    if (next() == MAGIC_1 && next() == MAGIC_2 && next() == DEFLATE) {
      flags = next();
    }
    if ((flags & RESERVED) != 0) { // so are the upper bits of -1
      throw damaged();
    }
    skip(IGNORED_BYTES);
    if ((flags & FEXTRA) != 0) {
      skip(next() | next() << 8);
    }
    for (int texts = Integer.bitCount(flags & (FNAME | FCOMMENT)); texts > 0; texts--) {
      skipText();
    }
    if ((flags & FHCRC) != 0) {
      skip(2);
    }
    inflater.reset();
    checksum.reset();
    inMember = true;
  }

  /** Ends a member: bytes that the inflater leaves over are the trailer and the next member. */
  private void endMember() throws IOException {
    position = limit - inflater.getRemaining();
    if (word() != checksum.getValue() || word() != (inflater.getBytesWritten() & 0xffffffffL)) {
      throw damaged();
    }
    inMember = false;
    if (position == limit && !fill()) {
      finished = true;
      inflater.end();
    }
  }

  private long word() throws IOException {
    long word = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      word |= (long) next() << shift;
    }
    return word;
  }

  private void skip(int bytes) throws IOException {
    for (int i = 0; i < bytes; i++) {
      next();
    }
  }

  private void skipText() throws IOException {
    while (next() != 0) {
      // The value is not needed.
    }
  }

  private int next() throws IOException {
    if (position == limit && !fill()) {
      throw damaged();
    }
    return buffer[position++] & 0xff;
  }

  /** Whether there are more bytes. */
  private boolean fill() throws IOException {
    position = 0;
    limit = Math.max(in.read(buffer, 0, buffer.length), 0);
    return limit > 0;
  }

  private static DamagedBodyException damaged() {
    return new DamagedBodyException("is not in gzip, as it is said to be");
  }
}
