package io.rmigate.gateway.testing;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the build has put what the tests run. The build says so by system properties. */
public final class BuiltArtefacts {
  private BuiltArtefacts() {}

  /** The gateway. */
  public static Path war() {
    return existing("rmigate.test.war", "target/rmigate.war");
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

  /** An empty directory for the files of one test class, which stay for whoever looks. */
  public static Path workDirectory(Class<?> test) {
    return Path.of(System.getProperty("rmigate.test.work", "target/it"))
        .toAbsolutePath()
        .normalize()
        .resolve(test.getSimpleName());
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
