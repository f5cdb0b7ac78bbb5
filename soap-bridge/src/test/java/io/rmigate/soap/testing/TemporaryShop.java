package io.rmigate.soap.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A {@link RunningShop} in a directory that goes with it, for targets of fuzzing. */
public final class TemporaryShop implements AutoCloseable {
  private static final List<String> INSIDE = List.of("Exception:", "\tat ", "com.sun.");

  private final Path directory;
  private final RunningShop running;

  private TemporaryShop(Path directory) throws Exception {
    this.directory = directory;
    this.running = RunningShop.in(directory);
  }

  public static TemporaryShop open() throws Exception {
    return new TemporaryShop(Files.createTempDirectory("shop"));
  }

  public RunningShop running() {
    return running;
  }

  /** Whether it is one, and speaks of nothing that this client does not know. */
  public void expectAnswer(RecordedAnswer answer, byte[] request) {
    boolean known = answer.status() >= 200 && answer.status() < 600;
    String asked = new String(request, StandardCharsets.UTF_8);
    if (!known
        || INSIDE.stream()
            .anyMatch(text -> answer.text().contains(text) && !asked.contains(text))) {
      throw new IllegalStateException("unexpected answer: " + answer);
    }
  }

  @Override
  public void close() throws IOException, ReflectiveOperationException {
    running.close();
    List<Path> files;
    try (Stream<Path> all = Files.walk(directory)) {
      files = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : files) {
      Files.delete(file);
    }
  }
}
