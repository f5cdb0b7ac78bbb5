package io.rmigate.gateway.scan.shape;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;

/**
 * Makes the table of the JDK's shapes from the class files of several JDKs, which need not be the
 * running one. Its arguments are their homes; what comes out replaces {@code jdk-shapes.txt} beside
 * {@code jdk-classes.txt}, which names the classes. Wanted for each release of the JDK that
 * applications run on; a JRE does as well as a JDK.
 *
 * <pre>
 *  java -cp gateway-war/target/classes:… io.rmigate.gateway.scan.shape.JdkShapes HOME…
 * </pre>
 *
 * <p>JDK 8 has no such image and was not read. The serial form of a class is part of its
 * specification and seldom changes; where JDK 8 writes another one than JDK 11, as a mismatch will
 * show, the line is added by hand.
 */
final class JdkShapes {
  static final String CLASSES = "jdk-classes.txt";
  static final String SHAPES = "jdk-shapes.txt";

  /** Whose throwables and enums are wanted, all of them. */
  private static final List<String> MODULES =
      List.of("java.base", "java.rmi", "java.sql", "java.management", "java.naming");

  /**
   * Proven by reading: {@code readObject} of Hashtable leaves it all to {@code readHashtable},
   * which a subclass may override. Its own, and that of Properties, the only one in the JDK, begin
   * with {@code readFields} and {@code defaultReadObject}; in JDK 8, where there is no such method,
   * {@code readObject} begins with {@code defaultReadObject}.
   */
  private static final Set<String> READ_BY_US = Set.of("java.util.Hashtable");

  /** Its reader called {@code toString} of any object, and began famous attacks with that. */
  private static final Set<String> LEFT_OUT =
      Set.of("javax/management/BadAttributeValueExpException");

  private static final String CLASS_SUFFIX = ".class";

  /** By line, to find what is the same in several releases. */
  private final Map<String, Shape> shapes = new TreeMap<>();

  private final List<String> releases = new ArrayList<>();
  private final Set<String> missing = new TreeSet<>();

  private JdkShapes() {}

  /** Writes the table to the standard output. */
  public static void main(String[] homes) throws IOException {
    print(List.of(homes), new PrintStream(System.out, false, StandardCharsets.UTF_8));
  }

  static void print(List<String> homes, PrintStream out) throws IOException {
    JdkShapes table = new JdkShapes();
    List<String> wanted = names();
    table.missing.addAll(wanted);
    for (String home : homes) {
      table.read(Path.of(home), wanted);
    }
    table.print(out);
  }

  /** The names in {@link #CLASSES}, by their own. */
  static List<String> names() throws IOException {
    try (BufferedReader lines = resource(CLASSES)) {
      return lines
          .lines()
          .map(line -> line.replaceFirst("#.*", "").strip())
          .filter(line -> !line.isEmpty())
          .toList();
    }
  }

  static BufferedReader resource(String name) {
    InputStream found = JdkShapes.class.getResourceAsStream(name);
    if (found == null) {
      throw new IllegalStateException("not in this build: " + name);
    }
    return new BufferedReader(new InputStreamReader(found, StandardCharsets.UTF_8));
  }

  private void read(Path home, List<String> wanted) throws IOException {
    try (FileSystem image =
        FileSystems.newFileSystem(URI.create("jrt:/"), Map.of("java.home", home.toString()))) {
      Path modules = image.getPath("/modules");
      ClassFiles files = new ClassFiles(name -> find(image, name));
      Set<String> names = new TreeSet<>();
      for (String name : wanted) {
        names.add(name.replace('.', '/'));
      }
      for (String module : MODULES) {
        addThrowablesAndEnums(modules.resolve(module), files, names);
      }
      ClassFileShapes shapesOfFiles = new ClassFileShapes(files);
      for (String name : names) {
        add(shapesOfFiles, name);
      }
      releases.add(release(home));
    }
  }

  private static Optional<ClassReader> find(FileSystem image, String name) throws IOException {
    int slash = name.lastIndexOf('/');
    Path links =
        image.getPath("/packages", name.substring(0, Math.max(0, slash)).replace('/', '.'));
    if (slash < 0 || !Files.exists(links)) {
      return Optional.empty();
    }
    try (Stream<Path> modules = Files.list(links)) {
      for (Path module : modules.toList()) {
        Path file = image.getPath("/modules", module.getFileName().toString(), name + CLASS_SUFFIX);
        if (Files.exists(file)) {
          return Optional.of(new ClassReader(Files.readAllBytes(file)));
        }
      }
    }
    return Optional.empty();
  }

  private static void addThrowablesAndEnums(Path module, ClassFiles files, Set<String> names)
      throws IOException {
    try (Stream<Path> all = Files.walk(module)) {
      for (Path file : all.filter(path -> path.toString().endsWith(CLASS_SUFFIX)).toList()) {
        String name = module.relativize(file).toString();
        name = name.substring(0, name.length() - CLASS_SUFFIX.length());
        boolean exported = name.startsWith("java/") || name.startsWith("javax/");
        if (exported
            && !LEFT_OUT.contains(name)
            && (files.isA(name, "java/lang/Throwable") || files.isA(name, "java/lang/Enum"))) {
          names.add(name);
        }
      }
    }
  }

  /** A class and its serializable superclasses. */
  private void add(ClassFileShapes of, String name) throws IOException {
    Optional<Shape> found = of.of(name);
    if (found.isEmpty()) {
      return;
    }
    Shape shape = found.get();
    missing.remove(shape.name());
    Shape proven = shape.withReading(Reading.AS_DECLARED);
    shapes.merge(
        ShapeTable.line(proven),
        READ_BY_US.contains(shape.name()) ? proven : shape,
        JdkShapes::merge);
    if (!shape.superclass().isEmpty()) {
      add(of, shape.superclass().replace('.', '/'));
    }
  }

  private static Shape merge(Shape one, Shape other) {
    return one.reading().and(other.reading()) == one.reading() ? one : other;
  }

  private static String release(Path home) throws IOException {
    Properties facts = new Properties();
    try (BufferedReader in = Files.newBufferedReader(home.resolve("release"))) {
      facts.load(in);
    }
    return facts.getProperty("JAVA_VERSION", "unknown").replace("\"", "");
  }

  private void print(PrintStream out) {
    out.println(
        "# What the classes of the JDK look like in serialization streams: see ShapeTable.");
    out.println("# Made by JdkShapes from the class files of JDK " + String.join(", ", releases));
    missing.forEach(name -> out.println("# No shape in any of them: " + name));
    shapes.values().stream().map(ShapeTable::line).forEach(out::println);
    out.flush();
  }

  /** The shapes of the table in this build. */
  static List<Shape> load() {
    try (BufferedReader table = resource(SHAPES)) {
      return ShapeTable.read(table);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // out of the class path
    }
  }
}
