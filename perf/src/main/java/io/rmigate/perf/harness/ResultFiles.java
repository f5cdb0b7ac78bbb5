package io.rmigate.perf.harness;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Files that a command writes its results to, if the user names them.
 *
 * @param json for all values
 * @param shown for a picture or a page
 */
public record ResultFiles(Optional<Path> json, Optional<Path> shown) {

  /**
   * Takes {@code --json}, and the other option.
   *
   * @param shownOption names the file for a picture or a page
   */
  public static ResultFiles of(CommandLine line, String shownOption) {
    return new ResultFiles(line.find("--json", Path::of), line.find(shownOption, Path::of));
  }

  /** Writes the files that are named. */
  public void write(Map<String, Object> values, Supplier<String> text) throws IOException {
    if (json.isPresent()) {
      writeJson(json.get(), values);
    }
    if (shown.isPresent()) {
      Files.writeString(shown.get(), text.get());
    }
  }

  /** Writes values as JSON. */
  public static void writeJson(Path file, Map<String, Object> values) throws IOException {
    new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), values);
  }
}
