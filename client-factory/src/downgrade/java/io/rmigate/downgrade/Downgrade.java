package io.rmigate.downgrade;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;

/**
 * Fills the folder that becomes the client jar. Classes for Java 8 to 16 go to its root, the
 * compiler's own classes to {@code META-INF/versions/17}, the classes of {@code io.rmigate.java8}
 * to the root and, for Java 9 to 16, to {@code META-INF/versions/9}. Programs that a person starts
 * and waits for have classes in the root only, for all JVMs. Fails when a class uses an API that
 * Java 8 lacks and {@code io.rmigate.java8} does not replace.
 */
public final class Downgrade {
  /** Packages of programs whose speed is that of the network; a second copy would be 6 % more. */
  private static final List<String> ONE_COPY =
      List.of("io/rmigate/client/program/command/", "io/rmigate/client/program/doctor/");

  private final Path classes;
  private final Path replacements;
  private final Path replacements9;
  private final Path output;

  private Downgrade(Path classes, Path replacements, Path replacements9, Path output) {
    this.classes = classes;
    this.replacements = replacements;
    this.replacements9 = replacements9;
    this.output = output;
  }

  /**
   * Arguments: the compiled classes, the replacements for Java 8 and those for Java 9, the folder
   * to fill.
   */
  public static void main(String[] args) throws IOException {
    new Downgrade(Path.of(args[0]), Path.of(args[1]), Path.of(args[2]), Path.of(args[3])).run();
  }

  private void run() throws IOException {
    delete(output);
    Map<String, ClassNode> ours = read(classes);
    Map<String, ClassNode> later = read(replacements);
    requireSameMembers(later, read(replacements9));
    Set<String> unknown = new TreeSet<>();
    JavaApi java8 = JavaApi.ofRelease8();
    Replacements table = new Replacements(java8, ours, later, unknown);
    NestAccess nests = new NestAccess(ours);
    for (Path file : files(classes)) {
      String name = classes.relativize(file).toString().replace('\\', '/');
      if (name.endsWith(".class")) {
        ClassNode node = ours.get(name.substring(0, name.length() - ".class".length()));
        if (isEmptyPackage(node)) {
          continue;
        }
        write(output.resolve(name), new ClassDowngrade(table, nests).apply(node));
        if (ONE_COPY.stream().noneMatch(name::startsWith)) {
          copy(file, output.resolve("META-INF/versions/17").resolve(name));
        }
      } else {
        copy(file, output.resolve(name));
      }
    }
    if (!unknown.isEmpty()) {
      throw new IllegalStateException(
          "Java 8 lacks what these classes use; add it to src/java8, or do without:\n  "
              + String.join("\n  ", unknown));
    }
    copyAll(replacements, output);
    copyAll(replacements9, output.resolve("META-INF/versions/9"));
  }

  /** A package without annotations needs no class. */
  private static boolean isEmptyPackage(ClassNode node) {
    return node.name.endsWith("/package-info")
        && node.visibleAnnotations == null
        && node.invisibleAnnotations == null;
  }

  /**
   * A class for Java 9 to 16 stands for one of Java 8: it has the same members, or callers find
   * none.
   */
  private static void requireSameMembers(
      Map<String, ClassNode> java8, Map<String, ClassNode> java9) {
    java9.forEach(
        (name, node) -> {
          ClassNode other = java8.get(name);
          if (other == null
              ? !name.contains("$")
              : !Replacements.visible(other).equals(Replacements.visible(node))) {
            throw new IllegalStateException(
                name + " differs in its members between src/java8 and src/java9");
          }
        });
  }

  private static Map<String, ClassNode> read(Path folder) throws IOException {
    Map<String, ClassNode> read = new TreeMap<>();
    for (Path file : files(folder)) {
      if (file.toString().endsWith(".class")) {
        ClassNode node = new ClassNode();
        new ClassReader(Files.readAllBytes(file)).accept(node, 0);
        read.put(node.name, node);
      }
    }
    return read;
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static void copyAll(Path from, Path to) throws IOException {
    for (Path file : files(from)) {
      copy(file, to.resolve(from.relativize(file).toString()));
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void write(Path to, byte[] bytes) throws IOException {
    Files.createDirectories(to.getParent());
    Files.write(to, bytes);
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> all = Files.walk(folder)) {
        all.sorted(Comparator.reverseOrder())
            .forEach(
                path -> {
                  try {
                    Files.delete(path);
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
      }
    }
  }
}
