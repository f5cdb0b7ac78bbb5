package io.rmigate.gateway.container.kits;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code deploy/tools/spring}, compiled. */
public final class SpringApplication {
  private final Path directory;
  private final List<Path> jars;
  private final List<Path> classPath;

  private SpringApplication(Path directory, List<Path> jars) {
    this.directory = directory;
    this.jars = List.copyOf(jars);
    classPath = new ArrayList<>(jars);
    classPath.add(directory.resolve("classes"));
  }

  /** Compiles it into {@code classes} below that directory, where its programs run. */
  public static SpringApplication compile(Path directory) throws IOException {
    SpringApplication application = new SpringApplication(directory, libraries());
    application.compile();
    return application;
  }

  /** The jars of Spring. */
  static List<Path> libraries() throws IOException {
    Path spring = Path.of(System.getProperty("rmigate.test.spring", "target/spring"));
    try (Stream<Path> files = Files.list(spring)) {
      return files.map(Path::toAbsolutePath).toList();
    }
  }

  private void compile() {
    String path = jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    int exitCode =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                System.out,
                System.err,
                "-d",
                directory.resolve("classes").toString(),
                "-cp",
                path,
                KitFile.path("tools/spring/SpringRmi.java").toString());
    assertThat(exitCode).isZero();
  }

  /** Spring's own. */
  public List<Path> jars() {
    return jars;
  }

  /** One of its two programs, but for its arguments. */
  public ChildJvm.Builder program(String name, String... jvmOptions) {
    return ChildJvm.named(name, directory)
        .jvmOptions(jvmOptions)
        .property("java.rmi.server.hostname", InsideHosts.INSIDE)
        .classPath(classPath.toArray(Path[]::new))
        .main("SpringRmi");
  }
}
