package io.rmigate.gateway.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Where the build has put what the tests run. The build says so by system properties. */
public final class BuiltArtefacts {
  private BuiltArtefacts() {}

  /** The gateway. */
  public static Path war() {
    return existing("rmigate.test.war", "target/rmigate.war");
  }

  /** The directory from which the build has packed the gateway. */
  public static Path unpackedWar() {
    return existing("rmigate.test.unpacked", "target/rmigate");
  }

  /** The client's jar, which is the javaagent. */
  public static Path javaagent() {
    return existing("rmigate.test.javaagent", "../client-factory/target/rmigate-client.jar");
  }

  /** The unpacked distribution of a container; {@code name} as its archive calls it. */
  public static Path container(String name) {
    Path directory = existing("rmigate.test.containers", "target/containers").resolve(name);
    if (!Files.isDirectory(directory)) {
      throw new IllegalStateException(directory + " is missing; run mvn pre-integration-test");
    }
    return directory;
  }

  /** An empty directory for the files of one test class, which stay after the test. */
  public static Path workDirectory(Class<?> test) {
    return work().resolve(test.getSimpleName());
  }

  /** The directory for the files of all tests of a build. */
  static Path work() {
    return Path.of(System.getProperty("rmigate.test.work", "target/it"))
        .toAbsolutePath()
        .normalize();
  }

  /** The class path of the stand-alone gateway: the WAR as the build has put it together. */
  public static Path[] gatewayClassPath() {
    Path exploded = unpackedWar().resolve("WEB-INF");
    List<Path> entries = new ArrayList<>();
    entries.add(exploded.resolve("classes"));
    for (String folder : List.of("lib", "standalone")) {
      try (Stream<Path> jars = Files.list(exploded.resolve(folder))) {
        jars.sorted().forEach(entries::add);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return entries.toArray(Path[]::new);
  }

  /** The jar or directory that a class comes from. */
  public static Path codeSource(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(type + " does not come from a file", e);
    }
  }

  private static Path existing(String property, String otherwise) {
    Path path = Path.of(System.getProperty(property, otherwise)).toAbsolutePath().normalize();
    if (!Files.exists(path)) {
      throw new IllegalStateException(path + " is missing; run mvn package first");
    }
    return path;
  }
}
