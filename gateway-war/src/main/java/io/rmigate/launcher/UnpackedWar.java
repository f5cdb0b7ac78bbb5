package io.rmigate.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The private directory with the unpacked libraries of one process. Deleted when the process ends
 * in good order; what a killed one left is deleted by the next.
 *
 * <p>Whether its owner lives is told by a lock on the file {@code pid} in it. The process id alone
 * would not do: containers that share a temporary directory all have process 1.
 */
final class UnpackedWar implements AutoCloseable {
  private static final String PREFIX = "rmigate-";
  private static final String PID = "pid";
  private static final List<String> UNPACKED =
      List.of("WEB-INF/classes/", "WEB-INF/lib/", "WEB-INF/standalone/");

  private final Path directory;
  private final FileChannel pid;

  private UnpackedWar(Path directory, FileChannel pid) {
    this.directory = directory;
    this.pid = pid;
  }

  static UnpackedWar unpack(Path war) throws IOException {
    // Readable and writable by the owner only (0700), by the contract of createTempDirectory.
    Path directory = Files.createTempDirectory(PREFIX);
    FileChannel pid =
        FileChannel.open(
            directory.resolve(PID), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    if (pid.tryLock() == null) {
      throw new IOException("cannot lock " + directory.resolve(PID));
    }
    pid.write(StandardCharsets.US_ASCII.encode(Long.toString(ProcessHandle.current().pid())));
    deleteLeftOvers(directory);
    UnpackedWar unpacked = new UnpackedWar(directory, pid);
    try {
      unpacked.copyFrom(war);
    } catch (IOException | RuntimeException e) {
      unpacked.close();
      throw e;
    }
    return unpacked;
  }

  private void copyFrom(Path war) throws IOException {
    try (ZipFile zip = new ZipFile(war.toFile())) {
      Enumeration<? extends ZipEntry> entries = zip.entries();
      while (entries.hasMoreElements()) {
        ZipEntry entry = entries.nextElement();
        if (entry.isDirectory() || UNPACKED.stream().noneMatch(entry.getName()::startsWith)) {
          continue;
        }
        Path file = directory.resolve(entry.getName()).normalize();
        if (!file.startsWith(directory)) {
          throw new IOException("an entry of " + war + " points outside: " + entry.getName());
        }
        Files.createDirectories(file.getParent());
        try (InputStream content = zip.getInputStream(entry)) {
          Files.copy(content, file);
        }
      }
    }
  }

  /** The classes first, then every library in the order of names. */
  URL[] classPath() throws IOException {
    List<Path> parts = new ArrayList<>();
    parts.add(directory.resolve("WEB-INF/classes"));
    for (String folder : List.of("WEB-INF/lib", "WEB-INF/standalone")) {
      try (DirectoryStream<Path> jars =
          Files.newDirectoryStream(directory.resolve(folder), "*.jar")) {
        List<Path> sorted = new ArrayList<>();
        jars.forEach(sorted::add);
        sorted.sort(null);
        parts.addAll(sorted);
      }
    }
    return parts.stream().map(UnpackedWar::url).toArray(URL[]::new);
  }

  private static URL url(Path path) {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void deleteLeftOvers(Path own) {
    try (DirectoryStream<Path> candidates =
        Files.newDirectoryStream(own.getParent(), PREFIX + "*")) {
      for (Path candidate : candidates) {
        if (!candidate.equals(own) && isLeftOver(candidate, own)) {
          delete(candidate.resolve("WEB-INF"));
          delete(candidate);
        }
      }
    } catch (IOException e) {
      // A directory of another account, or a race with another start: the next start tries again.
    }
  }

  private static boolean isLeftOver(Path candidate, Path own) {
    Path pid = candidate.resolve(PID);
    try {
      if (!Files.isDirectory(candidate, LinkOption.NOFOLLOW_LINKS)
          || !Files.isRegularFile(pid, LinkOption.NOFOLLOW_LINKS)
          || !Files.getOwner(candidate, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(own))) {
        return false;
      }
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(pid, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      return lock != null;
    } catch (IOException | OverlappingFileLockException e) {
      return false;
    }
  }

  /** Deletes the directory; what cannot be deleted is left for the next start. */
  @Override
  public void close() {
    try {
      delete(directory.resolve("WEB-INF"));
      // Last, so that what is interrupted half-way is still known as a left-over.
      pid.close();
      delete(directory);
    } catch (IOException e) {
      // See the class comment: the next start finds it.
    }
  }

  private static void delete(Path directory) throws IOException {
    if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
