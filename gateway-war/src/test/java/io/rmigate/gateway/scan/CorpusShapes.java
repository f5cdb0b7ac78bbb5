package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.shape.JarShapes;
import io.rmigate.gateway.scan.shape.Shape;
import io.rmigate.gateway.scan.shape.Shapes;
import io.rmigate.protocol.jrmp.GraphCorpus;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Shapes of classes that are in the class path, by way of a jar, as an operator would give them.
 */
final class CorpusShapes {
  /** Made once: the corpus is the same for all tests. */
  private static final class Corpus {
    static final StreamScanner SCANNER = scannerOf(classes());

    private static List<Class<?>> classes() {
      List<Class<?>> classes = new ArrayList<>(List.of(GraphCorpus.class.getDeclaredClasses()));
      classes.add(GraphCorpus.class);
      classes.addAll(OwnReaders.ALL);
      return classes;
    }
  }

  /** Knows the JDK's classes and those of {@link GraphCorpus} and {@link OwnReaders}. */
  static StreamScanner scanner() {
    return Corpus.SCANNER;
  }

  /** Knows the JDK's classes and these. */
  static StreamScanner scannerOf(List<Class<?>> classes) {
    return new StreamScanner(Shapes.ofJdk().with(of(classes)), ScanLimits.DEFAULT);
  }

  static List<Shape> of(List<Class<?>> classes) {
    try {
      Path jar = Files.createTempFile("classes", ".jar");
      try {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
          for (Class<?> type : classes) {
            add(zip, type);
          }
        }
        return JarShapes.of(List.of(jar)).shapes();
      } finally {
        Files.delete(jar);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void add(ZipOutputStream zip, Class<?> type) throws IOException {
    String file = type.getName().replace('.', '/') + ".class";
    try (InputStream in = type.getClassLoader().getResourceAsStream(file)) {
      zip.putNextEntry(new ZipEntry(file));
      zip.write(in.readAllBytes());
    }
  }

  private CorpusShapes() {}
}
