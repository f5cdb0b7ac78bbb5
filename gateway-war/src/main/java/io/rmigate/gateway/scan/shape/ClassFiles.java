package io.rmigate.gateway.scan.shape;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;

/**
 * Class files by name, and what follows from several of them together: which superclass is
 * serializable. Those of jars go before those of the platform, which is a JDK. Nothing is loaded. A
 * class that is not found counts as not serializable. Confined to one thread.
 */
public final class ClassFiles {
  private static final String SERIALIZABLE = "java/io/Serializable";
  private static final String EXTERNALIZABLE = "java/io/Externalizable";

  /** Where class files come from. */
  public interface Source {
    /**
     * A class file.
     *
     * @param name internal, such as {@code java/util/Date}
     */
    Optional<ClassReader> find(String name) throws IOException;
  }

  private record Heading(int access, String superName, List<String> interfaces) {}

  private final Map<String, List<ClassReader>> jars;
  private final Source platform;
  private final Map<String, Optional<Heading>> headings = new HashMap<>();

  /** By name: what extends or implements it directly, in the jars. Null until the first query. */
  private Map<String, Set<String>> children;

  /** Class files of a JDK alone. */
  ClassFiles(Source platform) {
    this(Map.of(), platform);
  }

  /**
   * Class files of applications.
   *
   * @param jars by internal name; a class that is there more than once has several
   */
  public ClassFiles(Map<String, List<ClassReader>> jars, Source platform) {
    this.jars = jars;
    this.platform = platform;
  }

  /** A class file, the first if there are several; empty where there is none. */
  Optional<ClassReader> find(String name) throws IOException {
    List<ClassReader> versions = jars.get(name);
    return versions == null ? platform.find(name) : Optional.of(versions.get(0));
  }

  /** All class files of that name, because it is unknown which of them runs. */
  List<ClassReader> versions(String name) throws IOException {
    List<ClassReader> versions = jars.get(name);
    return versions == null ? platform.find(name).stream().toList() : versions;
  }

  /** Whether the class is in the JDK and in no jar; its name alone decides nothing. */
  public boolean isOfPlatform(String name) throws IOException {
    return !jars.containsKey(name) && heading(name).isPresent();
  }

  /** The classes and interfaces in jars that extend or implement one of the jars, itself not. */
  public Set<String> subclasses(String name) {
    if (children == null) {
      children = new HashMap<>();
      jars.forEach((child, versions) -> versions.forEach(file -> addParents(child, file)));
    }
    Set<String> all = new LinkedHashSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(name));
    while (!open.isEmpty()) {
      for (String child : children.getOrDefault(open.remove(), Set.of())) {
        if (all.add(child)) {
          open.add(child);
        }
      }
    }
    return all;
  }

  private void addParents(String child, ClassReader file) {
    List<String> parents = new ArrayList<>(List.of(file.getInterfaces()));
    parents.add(String.valueOf(file.getSuperName()));
    for (String parent : parents) {
      children.computeIfAbsent(parent, first -> new LinkedHashSet<>()).add(child);
    }
  }

  public boolean isSerializable(String name) throws IOException {
    return isA(name, SERIALIZABLE);
  }

  public boolean isExternalizable(String name) throws IOException {
    return isA(name, EXTERNALIZABLE);
  }

  /** Whether a class is, extends or implements another one. Visits each ancestor once. */
  public boolean isA(String name, String ancestor) throws IOException {
    return isA(name, ancestor, new HashSet<>());
  }

  private boolean isA(String name, String ancestor, Set<String> seen) throws IOException {
    if (name == null || !seen.add(name)) {
      return false;
    }
    if (name.equals(ancestor)) {
      return true;
    }
    Optional<Heading> heading = heading(name);
    if (heading.isEmpty()) {
      return false;
    }
    for (String parent : heading.get().interfaces()) {
      if (isA(parent, ancestor, seen)) {
        return true;
      }
    }
    return isA(heading.get().superName(), ancestor, seen);
  }

  /** A class, all that it extends and implements, and what of these is not there; in no order. */
  public Set<String> ancestors(String name) throws IOException {
    Set<String> all = new LinkedHashSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(name));
    while (!open.isEmpty()) {
      String next = open.remove();
      if (all.add(next)) {
        for (ClassReader version : versions(next)) {
          open.addAll(List.of(version.getInterfaces()));
          if (version.getSuperName() != null) {
            open.add(version.getSuperName());
          }
        }
      }
    }
    return all;
  }

  public boolean isInterface(String name) throws IOException {
    return heading(name).filter(h -> (h.access() & Opcodes.ACC_INTERFACE) != 0).isPresent();
  }

  private Optional<Heading> heading(String name) throws IOException {
    Optional<Heading> known = headings.get(name);
    if (known == null) {
      known =
          find(name)
              .map(c -> new Heading(c.getAccess(), c.getSuperName(), List.of(c.getInterfaces())));
      headings.put(name, known);
    }
    return known;
  }
}
