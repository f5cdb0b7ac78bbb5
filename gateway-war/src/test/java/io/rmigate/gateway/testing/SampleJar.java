package io.rmigate.gateway.testing;

import io.rmigate.sample.SampleServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** The sample's classes as an operator has them: a jar in a directory. */
public final class SampleJar {
  private SampleJar() {}

  /** Puts the jar there, and returns the directory. */
  public static Path in(Path directory) throws IOException {
    Files.createDirectories(directory);
    Path classes = BuiltArtefacts.codeSource(SampleServer.class);
    Path jar = directory.resolve("sample.jar");
    if (Files.isRegularFile(classes)) {
      Files.copy(classes, jar);
      return directory;
    }
    try (JarOutputStream entries = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        entries.putNextEntry(new JarEntry(classes.relativize(file).toString().replace('\\', '/')));
        Files.copy(file, entries);
        entries.closeEntry();
      }
    }
    return directory;
  }
}
