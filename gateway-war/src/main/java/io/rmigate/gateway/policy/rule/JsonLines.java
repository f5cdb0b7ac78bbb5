package io.rmigate.gateway.policy.rule;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rmigate.protocol.LogText;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file of lines of JSON, such as notes and audits, to which a gateway may be writing. Errors name
 * the line. One use, one thread.
 */
public final class JsonLines {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** No line of a note or an audit is as long. */
  private static final int MAX_BYTES = 1 << 20;

  private static final int END = -1;

  /** Takes lines. */
  public interface Reader {
    /**
     * Takes the next line.
     *
     * @throws IOException the line is of another kind; the message names the difference
     */
    void line(JsonNode line) throws IOException;
  }

  private final Path file;
  private final Reader reader;
  private int whole;

  private JsonLines(Path file, Reader reader) {
    this.file = file;
    this.reader = reader;
  }

  /**
   * Reads all lines but empty ones, in their order.
   *
   * @return whether something stands behind the last whole line that is none: it is being written,
   *     or who wrote it was killed
   * @throws IOException the file cannot be read, or a line is something else
   */
  public static boolean read(Path file, Reader reader) throws IOException {
    return new JsonLines(file, reader).all();
  }

  private boolean all() throws IOException {
    if (Files.isDirectory(file)) {
      throw new FileSystemException(file.toString(), null, "is a directory");
    }
    ByteArrayOutputStream line = new ByteArrayOutputStream(1024);
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 256 * 1024)) {
      for (int b = in.read(); b != END; b = in.read()) {
        if (b != '\n') {
          line.write(b);
          if (line.size() > MAX_BYTES) {
            throw wrong("is longer than any note, and any line of an audit");
          }
          continue;
        }
        one(line.toByteArray());
        whole++;
        line.reset();
      }
    }
    try {
      one(line.toByteArray());
      return false;
    } catch (IOException torn) {
      if (whole == 0) {
        throw torn;
      }
      return true;
    }
  }

  private void one(byte[] line) throws IOException {
    if (new String(line, StandardCharsets.UTF_8).isBlank()) {
      return;
    }
    JsonNode read;
    try {
      read = JSON.readTree(line);
    } catch (JsonProcessingException odd) {
      throw wrong("is no JSON: " + LogText.brief(odd.getOriginalMessage()));
    }
    try {
      reader.line(read);
    } catch (IOException other) {
      throw wrong(other.getMessage());
    }
  }

  private IOException wrong(String how) {
    return new IOException(file + ":" + (whole + 1) + ": " + how);
  }
}
