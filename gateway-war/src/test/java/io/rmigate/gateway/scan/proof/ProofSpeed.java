package io.rmigate.gateway.scan.proof;

import io.rmigate.gateway.scan.shape.JarClassFiles;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Prints how long the proof takes of the jars in a directory, and how much memory. Its line has the
 * number of jars, of serializable classes, of proven ones, then milliseconds and megabytes.
 */
public final class ProofSpeed {
  private ProofSpeed() {}

  /** Takes the directory. */
  public static void main(String[] arguments) throws Exception {
    List<Path> jars;
    try (Stream<Path> files = Files.list(Path.of(arguments[0]))) {
      jars = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
    long start = System.nanoTime();
    HarmlessClasses harmless = HarmlessClasses.of(JarClassFiles.of(jars), Set.of());
    long took = System.nanoTime() - start;
    long most =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .map(MemoryPoolMXBean::getPeakUsage)
            .mapToLong(usage -> usage.getUsed())
            .sum();
    System.out.println(
        "proof %d jars %d classes %d proven %d ms %d MB"
            .formatted(
                jars.size(),
                harmless.verdicts().stream().filter(ProofSpeed::isClass).count(),
                harmless.verdicts().stream()
                    .filter(verdict -> isClass(verdict) && verdict.proven())
                    .count(),
                TimeUnit.NANOSECONDS.toMillis(took),
                most >> 20));
  }

  private static boolean isClass(Verdict verdict) {
    return !verdict.className().contains("Step");
  }
}
