package io.rmigate.gateway.scan.shape;

import io.rmigate.protocol.jrmp.ReadSequence;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;

/**
 * The shapes of the serializable classes in jars. Nothing of them is loaded or run. A class that is
 * there more than once, in several jars or for several releases of Java within one, has a shape for
 * each. Directories within a jar, such as {@code BOOT-INF/classes}, make no difference.
 * Superclasses and interfaces are looked up in the same jars, then in the running JDK.
 *
 * @param shapes of the classes whose serial form their files show
 * @param unexplained names of serializable classes whose files do not show it, and of entries that
 *     are no class files; in order
 */
public record JarShapes(List<Shape> shapes, List<String> unexplained) {
  /**
   * Reads jars.
   *
   * @throws IOException one cannot be read
   */
  public static JarShapes of(List<Path> jars) throws IOException {
    return of(JarClassFiles.of(jars));
  }

  /**
   * Shapes of classes that have been read.
   *
   * @throws IOException one of the running JDK cannot be read
   */
  public static JarShapes of(JarClassFiles jars) throws IOException {
    Map<String, List<ClassReader>> files = jars.byName();
    Set<String> unexplained = new TreeSet<>(jars.damaged());
    ClassFiles hierarchy = new ClassFiles(files, name -> ofThisJdk(name).map(ClassReader::new));
    ClassFileShapes shapesOfFiles = new ClassFileShapes(hierarchy);
    Set<Shape> shapes = new LinkedHashSet<>();
    for (Map.Entry<String, List<ClassReader>> named : files.entrySet()) {
      for (ClassReader file : named.getValue()) {
        try {
          Optional<Shape> shape = shapesOfFiles.of(file);
          shape.map(its -> isOrdered(file) ? its.ordered() : its).ifPresent(shapes::add);
          if (shape.isEmpty()
              && hierarchy.isSerializable(named.getKey())
              && !hierarchy.isInterface(named.getKey())) {
            unexplained.add(named.getKey().replace('/', '.'));
          }
        } catch (RuntimeException | StackOverflowError damaged) {
          unexplained.add(named.getKey().replace('/', '.'));
        }
      }
    }
    return new JarShapes(withOneSequence(shapes, unexplained), List.copyOf(unexplained));
  }

  /** All versions of a class must read the same, because it is unknown which of them runs. */
  private static List<Shape> withOneSequence(Set<Shape> shapes, Set<String> unexplained) {
    Map<String, Optional<ReadSequence>> sequences = new HashMap<>();
    for (Shape shape : shapes) {
      boolean known = shape.form() == Shape.Form.EXTERNAL && !unexplained.contains(shape.name());
      Optional<ReadSequence> its = known ? shape.sequence() : Optional.empty();
      sequences.merge(shape.name(), its, (a, b) -> a.equals(b) ? a : Optional.empty());
    }
    return shapes.stream().map(s -> s.withSequence(sequences.get(s.name()))).toList();
  }

  /** As {@code HashMap} finds out: by the class's own list of interfaces. */
  private static boolean isOrdered(ClassReader file) {
    if (!List.of(file.getInterfaces()).contains("java/lang/Comparable")) {
      return false;
    }
    ClassNode type = new ClassNode();
    file.accept(type, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return type.signature != null
        && type.signature.contains("Ljava/lang/Comparable<L" + type.name + ";>;");
  }

  /**
   * A class file of the running JDK.
   *
   * @param name internal, such as {@code java/util/Date}
   * @throws IOException it cannot be read
   */
  public static Optional<byte[]> ofThisJdk(String name) throws IOException {
    try (InputStream in =
        ClassLoader.getPlatformClassLoader().getResourceAsStream(name + ".class")) {
      return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
    }
  }
}
