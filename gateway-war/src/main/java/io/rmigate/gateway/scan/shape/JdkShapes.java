package io.rmigate.gateway.scan.shape;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleFinder;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;

/**
 * Makes the table of the JDK's shapes from the class files of several JDKs, which need not be the
 * running one. Its arguments are their homes; what comes out replaces {@code jdk-shapes.txt} beside
 * {@code jdk-classes.txt}, which names the classes. What the table of this build holds stays in it,
 * so that a release can be added by itself; but with {@code --anew} in front only the releases that
 * are given count. Wanted for each release of the JDK that applications run on; a JRE does as well
 * as a JDK. {@code gateway-war/shapes} runs it.
 *
 * <p>JDK 8 has jars instead of an image and no modules: of its packages those count that are in
 * these modules of the running JDK.
 */
final class JdkShapes {
  static final String CLASSES = "jdk-classes.txt";
  static final String SHAPES = "jdk-shapes.txt";

  /** Modules of the JDK of which all throwables and enums are in the table. */
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

  /** Jars of JDK 8, which has no modules. */
  private static final List<String> JARS = List.of("rt.jar", "jce.jar", "jsse.jar");

  private static final String ANEW = "--anew";
  private static final String MADE_FROM = "# Made by JdkShapes from the class files of JDK ";
  private static final String CLASS_SUFFIX = ".class";

  /** By line, to find what is the same in several releases. */
  private final Map<String, Shape> shapes = new TreeMap<>();

  private final List<String> releases = new ArrayList<>();
  private final Set<String> missing = new TreeSet<>();

  private JdkShapes() {}

  /** Writes the table to the standard output. */
  public static void main(String[] arguments) throws IOException {
    List<String> homes = List.of(arguments);
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    if (homes.contains(ANEW)) {
      print(homes.stream().filter(home -> !home.equals(ANEW)).toList(), out);
    } else {
      printWithTable(homes, out);
    }
  }

  /** The table of these releases alone. */
  static void print(List<String> homes, PrintStream out) throws IOException {
    new JdkShapes().print(homes, List.of(), out);
  }

  /** The table of this build, with these releases. */
  static void printWithTable(List<String> homes, PrintStream out) throws IOException {
    JdkShapes table = new JdkShapes();
    try (BufferedReader lines = resource(SHAPES)) {
      lines
          .lines()
          .filter(line -> line.startsWith(MADE_FROM))
          .map(line -> line.substring(MADE_FROM.length()).split(", "))
          .forEach(releases -> table.releases.addAll(List.of(releases)));
    }
    table.print(homes, load(), out);
  }

  private void print(List<String> homes, List<Shape> known, PrintStream out) throws IOException {
    List<String> wanted = names();
    missing.addAll(wanted);
    for (Shape shape : known) {
      missing.remove(shape.name());
      shapes.put(ShapeTable.line(shape.withReading(Reading.AS_DECLARED)), shape);
    }
    for (String home : homes) {
      String release = read(Path.of(home), wanted);
      if (!releases.contains(release)) {
        releases.add(release);
      }
    }
    print(out);
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

  /** Reads one release, and returns its name. */
  private String read(Path home, List<String> wanted) throws IOException {
    Optional<Path> jars =
        Stream.of("jre/lib", "lib")
            .map(home::resolve)
            .filter(lib -> Files.exists(lib.resolve(JARS.get(0))))
            .findFirst();
    if (jars.isPresent()) {
      readJars(jars.get(), wanted);
      return releaseOfJar(jars.get().resolve(JARS.get(0)));
    }
    readImage(home, wanted);
    return release(home);
  }

  private void readImage(Path home, List<String> wanted) throws IOException {
    try (FileSystem image =
        FileSystems.newFileSystem(URI.create("jrt:/"), Map.of("java.home", home.toString()))) {
      Set<String> inModules = new TreeSet<>();
      for (String module : MODULES) {
        Path root = image.getPath("/modules", module);
        try (Stream<Path> all = Files.walk(root)) {
          all.map(file -> root.relativize(file).toString())
              .filter(file -> file.endsWith(CLASS_SUFFIX))
              .map(file -> file.substring(0, file.length() - CLASS_SUFFIX.length()))
              .forEach(inModules::add);
        }
      }
      read(new ClassFiles(name -> find(image, name)), inModules, wanted);
    }
  }

  private void readJars(Path lib, List<String> wanted) throws IOException {
    Map<String, List<ClassReader>> byName =
        JarClassFiles.of(JARS.stream().map(lib::resolve).toList()).byName();
    Set<String> packages =
        MODULES.stream()
            .flatMap(module -> ModuleFinder.ofSystem().find(module).stream())
            .flatMap(module -> module.descriptor().packages().stream())
            .map(name -> name.replace('.', '/'))
            .collect(Collectors.toSet());
    read(
        new ClassFiles(name -> byName.getOrDefault(name, List.of()).stream().findFirst()),
        byName.keySet().stream()
            .filter(
                name -> packages.contains(name.substring(0, Math.max(0, name.lastIndexOf('/')))))
            .toList(),
        wanted);
  }

  /**
   * Reads one release.
   *
   * @param inModules all classes of {@link #MODULES}
   */
  private void read(ClassFiles files, Collection<String> inModules, List<String> wanted)
      throws IOException {
    Set<String> names = new TreeSet<>();
    for (String name : wanted) {
      names.add(name.replace('.', '/'));
    }
    addThrowablesAndEnums(inModules, files, names);
    ClassFileShapes shapesOfFiles = new ClassFileShapes(files);
    for (String name : names) {
      add(shapesOfFiles, name);
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

  private static void addThrowablesAndEnums(
      Collection<String> inModules, ClassFiles files, Set<String> names) throws IOException {
    for (String name : inModules) {
      boolean exported = name.startsWith("java/") || name.startsWith("javax/");
      if (exported
          && !LEFT_OUT.contains(name)
          && (files.isA(name, "java/lang/Throwable") || files.isA(name, "java/lang/Enum"))) {
        names.add(name);
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

  private static String releaseOfJar(Path jar) throws IOException {
    try (JarFile opened = new JarFile(jar.toFile())) {
      return opened.getManifest().getMainAttributes().getValue("Implementation-Version");
    }
  }

  private void print(PrintStream out) {
    out.println(
        "# What the classes of the JDK look like in serialization streams: see ShapeTable.");
    out.println(MADE_FROM + String.join(", ", releases));
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
