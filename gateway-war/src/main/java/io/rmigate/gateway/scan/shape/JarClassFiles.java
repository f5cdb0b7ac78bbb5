package io.rmigate.gateway.scan.shape;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.objectweb.asm.ClassReader;

/**
 * The class files in jars, read and not loaded. Directories within a jar, such as {@code
 * BOOT-INF/classes}, make no difference.
 *
 * @param byName by internal name, such as {@code com/acme/Order}, in order; a class that is there
 *     more than once has several
 * @param damaged entries that are no class files, or newer than the reader
 */
public record JarClassFiles(Map<String, List<ClassReader>> byName, Set<String> damaged) {
  /** Larger ones are no class files. */
  private static final int MAX_CLASS_BYTES = 1 << 24;

  /**
   * Reads jars.
   *
   * @throws IOException one cannot be read; it is named
   */
  public static JarClassFiles of(List<Path> jars) throws IOException {
    JarClassFiles all = new JarClassFiles(new TreeMap<>(), new TreeSet<>());
    for (Path jar : jars) {
      all.read(jar);
    }
    return all;
  }

  private void read(Path jar) throws IOException {
    try (JarFile opened = new JarFile(jar.toFile())) {
      for (JarEntry entry : opened.stream().toList()) {
        if (entry.getName().endsWith(".class")) {
          try (InputStream in = opened.getInputStream(entry)) {
            ClassReader file = new ClassReader(in.readNBytes(MAX_CLASS_BYTES));
            byName.computeIfAbsent(file.getClassName(), name -> new ArrayList<>(1)).add(file);
          } catch (IllegalArgumentException | IndexOutOfBoundsException unreadable) {
            damaged.add(entry.getName());
          }
        }
      }
    } catch (FileSystemException named) {
      throw named;
    } catch (IOException damage) {
      throw new IOException(jar + ": " + damage.getMessage(), damage);
    }
  }
}
