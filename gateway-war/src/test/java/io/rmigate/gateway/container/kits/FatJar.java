package io.rmigate.gateway.container.kits;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** The program of {@code boot/Stock.java}, packed as Spring Boot's plugins pack it. */
final class FatJar {
  private static final String SOURCE = "/boot/Stock.java";
  private static final String CLASSES = "BOOT-INF/classes/";
  private static final String LIBRARIES = "BOOT-INF/lib/";
  private static final String LOADER = "spring-boot-loader";
  private static final String MANIFEST =
      """
      Manifest-Version: 1.0
      Main-Class: org.springframework.boot.loader.JarLauncher
      Start-Class: boot.Stock
      Spring-Boot-Classes: BOOT-INF/classes/
      Spring-Boot-Lib: BOOT-INF/lib/
      """;

  private final Path directory;
  private final List<Path> libraries;
  private final Path loader;

  /**
   * Compiles and packs it.
   *
   * @param directory of its own
   */
  FatJar(Path directory) throws IOException {
    this.directory = Files.createDirectories(directory);
    Path spring = Path.of(System.getProperty("rmigate.test.boot", "target/spring-boot"));
    List<Path> jars = new ArrayList<>(SpringApplication.libraries());
    try (Stream<Path> boot = Files.list(spring)) {
      boot.map(Path::toAbsolutePath).forEach(jars::add);
    }
    libraries = jars.stream().filter(jar -> !isLoader(jar)).sorted().toList();
    loader = jars.stream().filter(FatJar::isLoader).findFirst().orElseThrow();
    compile();
    pack();
  }

  private static boolean isLoader(Path jar) {
    return jar.getFileName().toString().startsWith(LOADER);
  }

  /** What is started. */
  Path jar() {
    return directory.resolve("stock.jar");
  }

  /** Puts what an operator gives to a gateway there: its classes in a jar, and Spring's jars. */
  void copyInterfaces(Path interfaces) throws IOException {
    for (Path library : libraries) {
      Files.copy(library, interfaces.resolve(library.getFileName()));
    }
    try (ZipOutputStream own =
        new ZipOutputStream(Files.newOutputStream(interfaces.resolve("stock-classes.jar")))) {
      addClasses(own, "");
    }
  }

  private void compile() throws IOException {
    Path source = directory.resolve("Stock.java");
    try (InputStream in = FatJar.class.getResourceAsStream(SOURCE)) {
      Files.copy(in, source);
    }
    int exitCode =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                System.out,
                System.err,
                "-proc:none",
                "--release",
                "17",
                "-d",
                directory.resolve("classes").toString(),
                "-cp",
                libraries.stream()
                    .map(Path::toString)
                    .collect(Collectors.joining(File.pathSeparator)),
                source.toString());
    assertThat(exitCode).isZero();
  }

  private void pack() throws IOException {
    try (ZipOutputStream jar = new ZipOutputStream(Files.newOutputStream(jar()))) {
      jar.putNextEntry(new ZipEntry("META-INF/MANIFEST.MF"));
      jar.write(MANIFEST.getBytes(StandardCharsets.UTF_8));
      try (ZipFile launcher = new ZipFile(loader.toFile())) {
        for (ZipEntry entry : launcher.stream().toList()) {
          if (entry.getName().endsWith(".class")) {
            jar.putNextEntry(new ZipEntry(entry.getName()));
            try (InputStream in = launcher.getInputStream(entry)) {
              in.transferTo(jar);
            }
          }
        }
      }
      for (String folder : List.of("BOOT-INF/", CLASSES, LIBRARIES)) {
        jar.putNextEntry(new ZipEntry(folder)); // the launcher looks for these entries
      }
      addClasses(jar, CLASSES);
      for (Path library : libraries) {
        addStored(jar, LIBRARIES + library.getFileName(), Files.readAllBytes(library));
      }
    }
  }

  private void addClasses(ZipOutputStream jar, String prefix) throws IOException {
    Path classes = directory.resolve("classes");
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        String name = classes.relativize(file).toString().replace('\\', '/');
        jar.putNextEntry(new ZipEntry(prefix + name));
        Files.copy(file, jar);
      }
    }
  }

  /** The launcher reads libraries in place, which it can only where they are not compressed. */
  private static void addStored(ZipOutputStream jar, String name, byte[] content)
      throws IOException {
    CRC32 crc = new CRC32();
    crc.update(content);
    ZipEntry entry = new ZipEntry(name);
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(content.length);
    entry.setCrc(crc.getValue());
    jar.putNextEntry(entry);
    jar.write(content);
  }
}
