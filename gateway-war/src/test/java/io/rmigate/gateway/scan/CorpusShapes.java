package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.shape.JarShapes;
import io.rmigate.gateway.scan.shape.Shape;
import io.rmigate.gateway.scan.shape.Shapes;
import io.rmigate.protocol.jrmp.GraphCorpus;
import io.rmigate.protocol.jrmp.ReadSequence;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Shapes of classes that are in the class path, by way of a jar, as an operator would give them.
 */
final class CorpusShapes {
  /** Made once: the corpus is the same for all tests. */
  private static final class Corpus {
    static final List<Shape> SHAPES = of(classes());
    static final StreamScanner SCANNER =
        new StreamScanner(Shapes.ofJdk().with(SHAPES), ScanLimits.DEFAULT);

    private static List<Class<?>> classes() {
      List<Class<?>> classes = new ArrayList<>(List.of(GraphCorpus.class.getDeclaredClasses()));
      classes.add(GraphCorpus.class);
      classes.addAll(OwnReaders.ALL);
      classes.addAll(Externals.classes());
      return classes;
    }
  }

  /**
   * Knows the JDK's classes and those of {@link GraphCorpus}, {@link OwnReaders} and {@link
   * Externals}.
   */
  static StreamScanner scanner() {
    return Corpus.SCANNER;
  }

  /** What the Externalizables of {@link Externals} read, by their names. */
  static Map<String, ReadSequence> sequences() {
    Map<String, ReadSequence> all = new HashMap<>();
    for (Shape shape : Corpus.SHAPES) {
      shape.sequence().ifPresent(its -> all.put(shape.name(), its));
    }
    return all;
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
