package io.rmigate.soap.publish;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/**
 * The classes of all jars in one directory, and of the JDK: nothing of the gateway is visible to
 * them, and nothing of one entry to another. The bytes are read once, into memory, so that jars can
 * be replaced while they are in use and no file stays open. Entries that are not classes are left
 * out, and with them every service provider. Of a multi-release jar the running release counts; a
 * class that several jars have comes from the first by name. May be used by any thread.
 */
final class JarClasses extends ClassLoader implements AutoCloseable {
  static {
    registerAsParallelCapable();
  }

  private static final String SUFFIX = ".class";

  /** Most bytes of all classes together, uncompressed. */
  private static final long MAX_BYTES = 256L << 20;

  private final Map<String, byte[]> files;
  private volatile boolean closed;

  private JarClasses(Map<String, byte[]> files) {
    super("rmigate-published", ClassLoader.getPlatformClassLoader());
    this.files = files;
  }

  /**
   * Reads all jars.
   *
   * @throws IOException there is no such directory, no jar in it, one is damaged, or they are too
   *     large
   */
  static JarClasses in(Path directory) throws IOException {
    return in(directory, MAX_BYTES);
  }

  static JarClasses in(Path directory, long maxBytes) throws IOException {
    List<Path> jars;
    try (Stream<Path> all = Files.list(directory)) {
      jars = all.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
    if (jars.isEmpty()) {
      throw new IOException("no jar in " + directory);
    }
    Map<String, byte[]> files = new HashMap<>();
    long left = maxBytes;
    for (Path jar : jars) {
      left = read(jar, files, left);
    }
    return new JarClasses(files);
  }

  private static long read(Path jar, Map<String, byte[]> files, long allowed) throws IOException {
    long left = allowed;
    try (JarFile file = new JarFile(jar.toFile(), false, ZipFile.OPEN_READ, Runtime.version())) {
      List<JarEntry> classes =
          file.versionedStream().filter(entry -> entry.getName().endsWith(SUFFIX)).toList();
      for (JarEntry entry : classes) {
        byte[] bytes;
        try (InputStream in = file.getInputStream(entry)) {
          bytes = in.readNBytes((int) Math.min(left + 1, Integer.MAX_VALUE - 8));
        }
        left -= bytes.length;
        if (left < 0) {
          throw new IOException("the classes up to " + jar + " are too large");
        }
        files.putIfAbsent(entry.getName(), bytes);
      }
    } catch (SecurityException e) {
      throw new IOException(jar + " is damaged", e);
    }
    return left;
  }

  /**
   * A class, not initialized.
   *
   * @throws ClassNotFoundException there is none, or something that it needs is missing or damaged
   */
  Class<?> named(String name) throws ClassNotFoundException {
    try {
      return Class.forName(name, false, this);
    } catch (LinkageError e) {
      throw new ClassNotFoundException(name + ": " + e, e);
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes = files.get(name.replace('.', '/') + SUFFIX);
    if (bytes == null || closed) {
      throw new ClassNotFoundException(closed ? name + ": its entry was closed" : name);
    }
    return defineClass(name, bytes, 0, bytes.length);
  }

  /** Whether there is a class of that name. */
  boolean has(String name) {
    return files.containsKey(name.replace('.', '/') + SUFFIX);
  }

  /** The class files only. */
  @Override
  public InputStream getResourceAsStream(String name) {
    byte[] bytes = files.get(name);
    return bytes == null || closed ? null : new ByteArrayInputStream(bytes);
  }

  @Override
  protected URL findResource(String name) {
    return null;
  }

  /** All class files, by path. */
  List<String> names() {
    return files.keySet().stream()
        .filter(file -> !file.endsWith("module-info.class"))
        .map(file -> file.substring(0, file.length() - SUFFIX.length()).replace('/', '.'))
        .sorted()
        .toList();
  }

  /** Loads no more; classes that are in use stay usable until their last user lets go. */
  @Override
  public void close() {
    closed = true;
  }
}
