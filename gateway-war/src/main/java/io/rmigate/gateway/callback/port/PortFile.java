package io.rmigate.gateway.callback.port;

import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The owners of ports, kept for the gateway's next start: a line has a port and its owner, with all
 * characters but letters and digits escaped. A new file is written completely and then put in the
 * place of the old one, so that a killed gateway leaves one of the two. Reads and writes block.
 */
public final class PortFile {
  private static final Logger LOG = LoggerFactory.getLogger(PortFile.class);

  private final Path file;

  public PortFile(Path file) {
    this.file = file;
  }

  /** The owners that were written last; empty when there is no file that can be read. */
  public Map<Integer, String> read() {
    Map<Integer, String> owners = new TreeMap<>();
    try {
      for (String line : Files.readAllLines(file, StandardCharsets.US_ASCII)) {
        int blank = line.indexOf(' ');
        owners.put(
            Integer.parseInt(line.substring(0, blank)),
            URLDecoder.decode(line.substring(blank + 1), StandardCharsets.UTF_8));
      }
    } catch (NoSuchFileException first) {
      LOG.debug("no {} yet", file);
    } catch (IOException | RuntimeException unreadable) {
      LOG.warn(
          "{} cannot be read ({}): ports that callbacks used before are not in quarantine",
          file,
          unreadable.toString());
    }
    return owners;
  }

  /**
   * Replaces what was written last. By one thread at a time.
   *
   * @throws IOException what was written last is still there
   */
  public void write(Map<Integer, String> owners) throws IOException {
    List<String> lines = new ArrayList<>();
    owners.forEach(
        (port, owner) -> lines.add(port + " " + URLEncoder.encode(owner, StandardCharsets.UTF_8)));
    Path directory = file.toAbsolutePath().getParent();
    Files.createDirectories(directory);
    Path next = directory.resolve(file.getFileName() + ".next");
    Files.write(next, lines, StandardCharsets.US_ASCII);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
