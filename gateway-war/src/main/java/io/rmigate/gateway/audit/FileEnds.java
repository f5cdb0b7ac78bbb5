package io.rmigate.gateway.audit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.Optional;

/**
 * The first and the last line of a file.
 *
 * @param first null when there is no whole line
 * @param last null when there is no whole line
 * @param wholeBytes the size without a line that was never finished
 */
record FileEnds(WrittenLine first, WrittenLine last, long wholeBytes) {

  /**
   * Reads them.
   *
   * @throws IOException they cannot be read, or it is not a file of ours
   */
  static FileEnds read(FileChannel file, Object name) throws IOException {
    long size = file.size();
    long tailAt = Math.max(0, size - 2L * WrittenLine.MAX_BYTES);
    byte[] tail = bytes(file, tailAt, (int) (size - tailAt));
    int end = lastBreak(tail, tail.length);
    if (end < 0 && tailAt > 0) {
      throw notOurs(name);
    }
    if (end < 0) {
      return new FileEnds(null, null, 0);
    }
    int start = lastBreak(tail, end) + 1;
    byte[] head = bytes(file, 0, (int) Math.min(size, WrittenLine.MAX_BYTES + 1L));
    int headEnd = 0;
    while (headEnd < head.length && head[headEnd] != '\n') {
      headEnd++;
    }
    Optional<WrittenLine> first = WrittenLine.parse(Arrays.copyOf(head, headEnd));
    Optional<WrittenLine> last = WrittenLine.parse(Arrays.copyOfRange(tail, start, end));
    if (first.isEmpty() || last.isEmpty()) {
      throw notOurs(name);
    }
    return new FileEnds(first.get(), last.get(), tailAt + end + 1);
  }

  private static IOException notOurs(Object name) {
    return new IOException(
        name + " is not an audit of this gateway; move it away, or name another file");
  }

  private static int lastBreak(byte[] bytes, int before) {
    int at = before - 1;
    while (at >= 0 && bytes[at] != '\n') {
      at--;
    }
    return at;
  }

  private static byte[] bytes(FileChannel file, long at, int count) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(count);
    while (bytes.hasRemaining()) {
      if (file.read(bytes, at + bytes.position()) < 0) {
        break;
      }
    }
    return Arrays.copyOf(bytes.array(), bytes.position());
  }
}
