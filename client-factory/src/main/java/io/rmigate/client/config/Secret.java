package io.rmigate.client.config;

import io.rmigate.protocol.FileModes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A password or token, read at the moment of use: a file that was changed meanwhile counts without
 * a restart, and a heap dump of an idle client does not contain it. Thread-safe.
 */
public final class Secret {
  /** Far above any token; a mistyped path to something huge must not be read whole. */
  static final int MAX_BYTES = 64 * 1024;

  private final String name; // of the key, or of what else it is the value of
  private final Path file; // null if the value was given literally
  private final String literal; // null if it comes from a file
  private final AtomicBoolean warned = new AtomicBoolean();

  private Secret(String name, Path file, String literal) {
    this.name = name;
    this.file = file;
    this.literal = literal;
  }

  static Secret ofFile(ConfigKey key, Path file) {
    return new Secret(key.key(), Objects.requireNonNull(file), null);
  }

  static Secret of(String name, String literal) {
    return new Secret(name, null, Objects.requireNonNull(literal));
  }

  /**
   * The secret as it is now: the first line of its file, UTF-8, without the line's end.
   *
   * @throws IOException the file cannot be read or is empty; the message names key and file
   */
  public String read() throws IOException {
    if (file == null) {
      return literal;
    }
    if (!warned.getAndSet(true)) {
      warnIfOpen(name, file);
    }
    byte[] bytes;
    try (var in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MAX_BYTES + 1);
    } catch (IOException e) {
      throw new IOException(name + " " + file + " cannot be read: " + e, e);
    }
    if (bytes.length > MAX_BYTES) {
      throw new IOException(name + " " + file + " is larger than " + MAX_BYTES + " bytes");
    }
    String line = new String(bytes, StandardCharsets.UTF_8).lines().findFirst().orElse("");
    if (line.isEmpty()) {
      throw new IOException(name + " " + file + " is empty: its first line is the secret");
    }
    if (line.chars().anyMatch(Character::isISOControl)) {
      throw new IOException(name + " " + file + " has a control character in its first line");
    }
    return line;
  }

  /**
   * Warns of a file with a password or key that other users of the machine may read. No constant
   * logger: the first one chooses the JVM's log manager.
   *
   * @param name of the key or option that names the file
   */
  public static void warnIfOpen(String name, Path file) {
    FileModes.openToOthers(file)
        .ifPresent(
            mode ->
                System.getLogger(Secret.class.getName())
                    .log(
                        System.Logger.Level.WARNING,
                        "{0} {1} is open to other users of this machine: {2}; make it readable for"
                            + " its owner alone (chmod 600)",
                        name,
                        file,
                        mode));
  }

  /** Where the secret comes from; never the secret. */
  @Override
  public String toString() {
    return file == null ? name + " (literal)" : name + " " + file;
  }
}
