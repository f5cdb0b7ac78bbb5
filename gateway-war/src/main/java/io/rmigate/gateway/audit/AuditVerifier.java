package io.rmigate.gateway.audit;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Reads files, the oldest first, and finds the first line that was changed, left out, put in or put
 * elsewhere. One use, one thread.
 *
 * <p>What the chain cannot tell: whether lines are missing behind the last one, or before the first
 * one of the first file; and whether all of it was made anew, since no secret is needed for that.
 * Who keeps a hash elsewhere, as the gateway's own log does, knows.
 */
public final class AuditVerifier {
  private static final int NO_LINE = -1;

  private long lines;
  private long unchained;
  private long firstNumber;
  private long number;

  /** Hash of the line before; null when it has none. */
  private String hash;

  private String begins = HashChain.NONE;

  /**
   * What was found.
   *
   * @param fault the first line that is not right, and why; empty: none
   * @param firstNumber of the first line; 0 when there is none
   * @param lastNumber of the last line that is right
   * @param unchained how many lines carry no hash
   * @param begins the hash that the first line goes on from
   * @param lastHash of the last line that is right; empty when it carries none
   */
  public record Findings(
      Optional<String> fault,
      long lines,
      long firstNumber,
      long lastNumber,
      long unchained,
      String begins,
      Optional<String> lastHash) {}

  /**
   * Verifies files.
   *
   * @param files in their order
   * @throws IOException one cannot be read
   */
  public static Findings verify(List<Path> files) throws IOException {
    return new AuditVerifier().all(files);
  }

  private Findings all(List<Path> files) throws IOException {
    Optional<String> fault = Optional.empty();
    for (Path file : files) {
      fault = one(file);
      if (fault.isPresent()) {
        break;
      }
    }
    return new Findings(
        fault, lines, firstNumber, number, unchained, begins, Optional.ofNullable(hash));
  }

  private Optional<String> one(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new FileSystemException(file.toString(), null, "is a directory");
    }
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 256 * 1024)) {
      ByteArrayOutputStream line = new ByteArrayOutputStream(1024);
      long at = 0;
      for (int b = in.read(); b != NO_LINE; b = in.read()) {
        if (b != '\n') {
          line.write(b);
          if (line.size() > WrittenLine.MAX_BYTES) {
            return fault(file, at + 1, "is longer than any line of an audit");
          }
          continue;
        }
        at++;
        Optional<String> wrong = line(line.toByteArray(), at == 1);
        if (wrong.isPresent()) {
          return fault(file, at, wrong.get());
        }
        line.reset();
      }
      return line.size() == 0
          ? Optional.empty()
          : fault(file, at + 1, "is cut off: the gateway was killed, or writes it just now");
    }
  }

  private static Optional<String> fault(Path file, long line, String why) {
    return Optional.of(file + ":" + line + ": " + why);
  }

  /** The fault of a line; empty when the line is valid. */
  private Optional<String> line(byte[] bytes, boolean firstOfFile) {
    Optional<WrittenLine> parsed = WrittenLine.parse(bytes);
    if (parsed.isEmpty()) {
      return Optional.of("is not a line of an audit");
    }
    WrittenLine line = parsed.get();
    if (lines > 0 && line.number() != number + 1) {
      return Optional.of(
          "has number %d behind %d: lines are missing, or not in their order"
              .formatted(line.number(), number));
    }
    if (firstOfFile && !line.begins()) {
      return Optional.of("is not how a file begins: lines before it are missing");
    }
    Optional<String> broken = line.hash() == null ? unchained(line) : chained(line, bytes);
    if (broken.isPresent()) {
      return broken;
    }
    if (lines == 0) {
      firstNumber = line.number();
    }
    lines++;
    number = line.number();
    hash = line.hash();
    return Optional.empty();
  }

  /** Only a run without a chain may follow one with it. */
  private Optional<String> unchained(WrittenLine line) {
    if (hash != null && !line.begins()) {
      return Optional.of("carries no hash, and the line before it does");
    }
    unchained++;
    return Optional.empty();
  }

  private Optional<String> chained(WrittenLine line, byte[] bytes) {
    String previous = hash;
    if (previous == null) {
      if (line.previous() == null) {
        return Optional.of("carries a hash, and the line before it does not");
      }
      previous = line.previous();
      begins = lines == 0 ? previous : begins;
    }
    if (!HashChain.hash(previous, bytes, bytes.length - HashChain.OVERHEAD).equals(line.hash())) {
      return Optional.of("does not fit its hash: it was changed, or what stands before it was");
    }
    return Optional.empty();
  }
}
