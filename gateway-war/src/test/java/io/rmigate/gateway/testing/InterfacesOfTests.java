package io.rmigate.gateway.testing;

import io.rmigate.sample.SampleServer;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.Remote;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The remote interfaces of all programs that the tests run, and what these exchange, as an operator
 * gives them to a gateway: class rules are in force unless a test turns them off.
 */
public final class InterfacesOfTests {
  private static final String SUFFIX = ".class";
  private static final Path DIRECTORY = write();

  private InterfacesOfTests() {}

  /** The directory with the jars; the same for all tests of this JVM. */
  public static Path directory() {
    return DIRECTORY;
  }

  /** The section of a configuration, as a block that ends with its line. */
  public static String section() {
    return "classes:\n  interfaces: '" + DIRECTORY + "'\n";
  }

  private static Path write() {
    Path directory = WorkOfThisJvm.DIRECTORY.resolve("interfaces");
    try {
      Files.createDirectories(directory);
      write(InterfacesOfTests.class, directory.resolve("tests.jar"));
      write(SampleServer.class, directory.resolve("sample.jar"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return directory;
  }

  private static void write(Class<?> one, Path jar) throws IOException {
    Path classes = BuiltArtefacts.codeSource(one);
    if (Files.isRegularFile(classes)) {
      Files.deleteIfExists(jar);
      Files.copy(classes, jar);
      return;
    }
    List<Path> files;
    try (Stream<Path> all = Files.walk(classes)) {
      files = all.filter(file -> file.toString().endsWith(SUFFIX)).sorted().toList();
    }
    try (ZipOutputStream entries = new ZipOutputStream(Files.newOutputStream(jar))) {
      entries.setLevel(0);
      for (Path file : files) {
        String entry = classes.relativize(file).toString().replace('\\', '/');
        if (isCarried(entry.substring(0, entry.length() - SUFFIX.length()).replace('/', '.'))) {
          entries.putNextEntry(new ZipEntry(entry));
          Files.copy(file, entries);
        }
      }
    }
  }

  /** Whether RMI may meet it. What cannot be loaded here runs nowhere. */
  private static boolean isCarried(String name) {
    try {
      Class<?> type = Class.forName(name, false, InterfacesOfTests.class.getClassLoader());
      return (type.isInterface() && Remote.class.isAssignableFrom(type))
          || Serializable.class.isAssignableFrom(type);
    } catch (ClassNotFoundException | LinkageError none) {
      return false;
    }
  }
}
