package io.rmigate.gateway.grant;

import io.rmigate.gateway.problem.ConfigException;
import io.rmigate.gateway.problem.ConfigProblem;
import io.rmigate.protocol.FileModes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the keys come from: the file that the configuration names, or else one that this gateway
 * has made in its state directory, so that it knows its own grants after a restart.
 *
 * <p>A file has one key a line, 32 bytes in Base64; blank lines and lines that begin with {@code #}
 * mean nothing. Confined to the thread that starts, then to the one that reloads.
 */
public final class GrantKeySource {
  private static final Logger LOG = LoggerFactory.getLogger(GrantKeySource.class);
  private static final String CONFIGURED = "grants.key-file";
  private static final String OWN_KEY = "state";
  private static final String OWN = "grants.key";
  private static final int MAX_FILE_BYTES = 64 * 1024;

  private static final Set<PosixFilePermission> OWNER_ONLY =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private final Path state;

  /** Made or read once; null until then. */
  private GrantKeys own;

  /**
   * @param state directory of what must outlive a restart; need not exist yet
   */
  public GrantKeySource(Path state) {
    this.state = state;
  }

  /**
   * The keys to use.
   *
   * @throws ConfigException a file has no keys, or what is no key
   */
  public GrantKeys keys(GrantSettings settings) throws ConfigException {
    if (settings.keyFile().isPresent()) {
      return read(settings.keyFile().get());
    }
    if (own == null) {
      own = own();
    }
    return own;
  }

  /**
   * Looks at the file that the configuration names, if it names one; makes nothing.
   *
   * @throws ConfigException it has no keys, or what is no key
   */
  public static void check(GrantSettings settings) throws ConfigException {
    Optional<Path> file = settings.keyFile();
    if (file.isPresent()) {
      read(file.get());
    }
  }

  private GrantKeys own() throws ConfigException {
    Path file = state.resolve(OWN);
    try {
      if (!Files.exists(file)) {
        make(file);
      }
    } catch (IOException e) { // of a directory: a file that is there is read, or an error
      LOG.warn(
          "no key can be kept in {} ({}): after a restart agents have to look up anew what they"
              + " hold; give the gateway a state directory that it can write to",
          state,
          e.toString());
      return GrantKeys.random();
    }
    return read(file, OWN_KEY, "; without the file a new key is made");
  }

  /** Whole or not at all; if another gateway makes it at the same time, one of the two is kept. */
  private static void make(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    GrantKeys made = GrantKeys.random();
    Path prepared = Files.createTempFile(file.getParent(), OWN, ".new", ownerOnly(file));
    try {
      write(
          prepared,
          "# The key that seals grants of this gateway. Keep it secret: a reader can forge"
              + " grants.\n"
              + Base64.getEncoder().encodeToString(made.sealing().secret())
              + "\n");
      publish(prepared, file);
      LOG.info("made {}", file);
    } catch (FileAlreadyExistsException lateComer) {
      LOG.debug("{} is there already", file);
    } finally {
      Files.deleteIfExists(prepared);
    }
  }

  /** So that a name never stands for a file which a power cut has left empty. */
  private static void write(Path file, String text) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = StandardCharsets.US_ASCII.encode(text);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  private static void publish(Path prepared, Path file) throws IOException {
    try {
      Files.createLink(file, prepared);
    } catch (FileAlreadyExistsException lateComer) {
      throw lateComer;
    } catch (IOException | UnsupportedOperationException noLinksHere) { // as on vfat
      Files.move(prepared, file); // fails, too, when the file is there
    }
  }

  private static FileAttribute<?>[] ownerOnly(Path file) throws IOException {
    return Files.getFileStore(file.getParent()).supportsFileAttributeView("posix")
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
        : new FileAttribute<?>[0];
  }

  private static GrantKeys read(Path file) throws ConfigException {
    return read(file, CONFIGURED, "");
  }

  /**
   * @param key that the file belongs to, for errors
   * @param remedy behind what is said of a file that is of no use
   */
  private static GrantKeys read(Path file, String key, String remedy) throws ConfigException {
    List<String> lines;
    try {
      if (Files.size(file) > MAX_FILE_BYTES) {
        throw new ConfigException(file.toString(), key, "is no file of keys: too large" + remedy);
      }
      lines = Files.readAllLines(file, StandardCharsets.UTF_8);
      warnIfOpen(file);
    } catch (IOException e) {
      throw new ConfigException(file.toString(), key, "cannot be read: " + e + remedy);
    }
    List<GrantKey> keys = new ArrayList<>();
    List<ConfigProblem> problems = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        Optional<GrantKey> found = key(line);
        found.ifPresent(keys::add);
        if (found.isEmpty()) { // the line itself is never shown: it may nearly be a key
          problems.add(
              new ConfigProblem(
                  file + ":" + (i + 1),
                  key,
                  "is not 32 bytes in Base64; make the line with: openssl rand -base64 32"
                      + remedy));
        }
      }
    }
    if (problems.isEmpty() && (keys.isEmpty() || keys.size() > GrantKeys.MAX_KEYS)) {
      problems.add(
          new ConfigProblem(
              file.toString(),
              key,
              "has %d keys; allowed: 1 to %d".formatted(keys.size(), GrantKeys.MAX_KEYS) + remedy));
    }
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return new GrantKeys(keys);
  }

  private static Optional<GrantKey> key(String line) {
    try {
      byte[] secret = Base64.getDecoder().decode(line);
      return secret.length == GrantKey.BYTES ? Optional.of(new GrantKey(secret)) : Optional.empty();
    } catch (IllegalArgumentException notBase64) {
      return Optional.empty();
    }
  }

  private static void warnIfOpen(Path file) {
    FileModes.openToOthers(file)
        .ifPresent(
            mode ->
                LOG.warn(
                    "{} is readable by other accounts of this machine: {}; a reader can forge"
                        + " grants;"
                        + " chmod 600 it, and make a new key if others may have read it",
                    file,
                    mode));
  }
}
