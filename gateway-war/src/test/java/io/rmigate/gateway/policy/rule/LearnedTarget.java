package io.rmigate.gateway.policy.rule;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files of notes of mode {@code learn}. */
public final class LearnedTarget {
  private static final Path DIRECTORY = directory();

  private static Path directory() {
    try {
      Path directory = Files.createTempDirectory("fuzz");
      directory.toFile().deleteOnExit();
      directory.resolve(LearnedNotes.FILE).toFile().deleteOnExit(); // before its directory
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts with any contents of the file, and finds the notes that are in it. One thread at a time.
   */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    Path file = DIRECTORY.resolve(LearnedNotes.FILE);
    Files.write(file, input);
    try (LearnedNotes notes = new LearnedNotes(DIRECTORY)) {
      int read = 0;
      try {
        read = LearnedNotes.read(file).size();
      } catch (IOException none) {
        // said in words
      }
      if (notes.notes().size() != Math.min(read, LearnedNotes.MAX_NOTES)) {
        throw new IllegalStateException(read + " notes, but known are " + notes.notes());
      }
    }
  }

  private LearnedTarget() {}
}
