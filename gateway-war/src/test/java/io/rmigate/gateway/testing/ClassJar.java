package io.rmigate.gateway.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Classes of the class path in a jar, as an operator gives those of remote interfaces. */
public final class ClassJar {
  private ClassJar() {}

  /** Writes a jar with these classes into the directory, and returns the directory. */
  public static Path in(Path directory, Class<?>... classes) throws IOException {
    try (ZipOutputStream zip =
        new ZipOutputStream(Files.newOutputStream(directory.resolve("classes.jar")))) {
      for (Class<?> type : classes) {
        String entry = type.getName().replace('.', '/') + ".class";
        zip.putNextEntry(new ZipEntry(entry));
        try (InputStream file = type.getClassLoader().getResourceAsStream(entry)) {
          file.transferTo(zip);
        }
        zip.closeEntry();
      }
    }
    return directory;
  }
}
