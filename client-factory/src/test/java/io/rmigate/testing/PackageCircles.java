package io.rmigate.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds packages of a source tree that import each other in a circle. It reads sources, because a
 * compiler copies constants of other packages into byte code and leaves no trace of the import.
 */
public final class PackageCircles {
  private static final Pattern IMPORT =
      Pattern.compile(
          "^import (?:static )?(io\\.rmigate[a-z0-9_.]*)\\.(?:[A-Z].*|\\*);", Pattern.MULTILINE);

  private PackageCircles() {}

  /**
   * The packages that are in circles, each with the packages that it imports and that lead back to
   * it.
   *
   * @param sources such as {@code src/main/java}
   * @throws IllegalArgumentException there are no packages, so that nothing would be checked
   */
  public static Map<String, Set<String>> of(Path sources) throws IOException {
    Map<String, Set<String>> imports = imports(sources);
    if (imports.isEmpty()) {
      throw new IllegalArgumentException("no sources in " + sources.toAbsolutePath());
    }
    Map<String, Set<String>> circles = new TreeMap<>();
    imports.forEach(
        (from, others) ->
            others.stream()
                .filter(to -> isReachable(from, to, imports))
                .forEach(to -> circles.computeIfAbsent(from, first -> new TreeSet<>()).add(to)));
    return circles;
  }

  private static Map<String, Set<String>> imports(Path sources) throws IOException {
    Map<String, Set<String>> imports = new TreeMap<>();
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        String own = sources.relativize(file.getParent()).toString().replace('/', '.');
        Set<String> others = imports.computeIfAbsent(own, first -> new TreeSet<>());
        Matcher matcher = IMPORT.matcher(Files.readString(file));
        while (matcher.find()) {
          if (!matcher.group(1).equals(own)) {
            others.add(matcher.group(1));
          }
        }
      }
    }
    return imports;
  }

  private static boolean isReachable(
      String wanted, String start, Map<String, Set<String>> imports) {
    Set<String> seen = new HashSet<>(Set.of(start));
    Deque<String> open = new ArrayDeque<>(List.of(start));
    while (!open.isEmpty()) {
      String next = open.remove();
      if (next.equals(wanted)) {
        return true;
      }
      imports.getOrDefault(next, Set.of()).stream().filter(seen::add).forEach(open::add);
    }
    return false;
  }
}
