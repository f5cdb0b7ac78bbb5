package io.rmigate.gateway.container.services;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * openapi-generator, and the libraries of the clients that it makes, as the full build has copied
 * them. It brings along most of what clients in Java need.
 *
 * @param directory for all that it makes
 * @param jars of itself and of its clients
 */
record OpenApiGenerator(Path directory, List<Path> jars) {
  private static final Path TOOLS = Path.of("../.rmigate/tools/bin/python");

  /** Finds it, or skips the test. */
  static OpenApiGenerator in(Path directory) throws IOException {
    Path copied = Path.of(System.getProperty("rmigate.test.openapi", "target/openapi-generator"));
    assumeTrue(Files.isDirectory(copied), "openapi-generator is not there: mvn verify -Pfull");
    try (Stream<Path> files = Files.list(copied)) {
      return new OpenApiGenerator(directory, files.map(Path::toAbsolutePath).sorted().toList());
    }
  }

  /** The Python for which {@code deploy/get-tools} gets packages, if it is there. */
  static String python() {
    return Files.isExecutable(TOOLS) ? TOOLS.toAbsolutePath().normalize().toString() : "python3";
  }

  private Path generator() {
    return jars.stream()
        .filter(jar -> jar.getFileName().toString().startsWith("openapi-generator-cli-"))
        .findFirst()
        .orElseThrow();
  }

  private static String ofJdk(String program) {
    return Path.of(System.getProperty("java.home"), "bin", program).toString();
  }

  private String classPath(Path classes) {
    return Stream.concat(Stream.of(classes), jars.stream())
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Makes the classes of a client; returns where they are. */
  Path generate(String language, String document, String... options) throws Exception {
    Path made = Files.createTempDirectory(directory, language);
    List<String> command =
        new ArrayList<>(
            List.of(ofJdk("java"), "-Xmx300m", "-jar", generator().toString(), "generate"));
    command.addAll(List.of("-g", language, "-i", document, "-o", made.toString()));
    command.addAll(
        List.of(
            "--global-property", "apiTests=false,modelTests=false,apiDocs=false,modelDocs=false"));
    command.addAll(List.of(options));
    new ForeignProgram(directory, command).output();
    return made;
  }

  /** Compiles all that was made, and a client that uses it. */
  void compile(Path made, Path client) throws Exception {
    List<String> command =
        new ArrayList<>(List.of(ofJdk("javac"), "-proc:none", "-nowarn", "-d", made.toString()));
    command.addAll(List.of("-cp", classPath(made), client.toString()));
    try (Stream<Path> sources = Files.walk(made.resolve("src/main"))) {
      sources.map(Path::toString).filter(source -> source.endsWith(".java")).forEach(command::add);
    }
    new ForeignProgram(directory, command).output();
  }

  /** Runs a class of those that were compiled. */
  ForeignProgram java(Path made, String type) {
    return new ForeignProgram(
        directory, List.of(ofJdk("java"), "-Xmx100m", "-cp", classPath(made), type));
  }
}
