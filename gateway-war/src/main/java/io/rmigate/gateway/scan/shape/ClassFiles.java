package io.rmigate.gateway.scan.shape;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;

/**
 * Class files by name, and what follows from several of them together: which superclass is
 * serializable. Nothing is loaded. A class that is not found counts as not serializable. Confined
 * to one thread.
 */
final class ClassFiles {
  private static final String SERIALIZABLE = "java/io/Serializable";
  private static final String EXTERNALIZABLE = "java/io/Externalizable";

  /** Where class files come from. */
  interface Source {
    /**
     * A class file.
     *
     * @param name internal, such as {@code java/util/Date}
     */
    Optional<ClassReader> find(String name) throws IOException;
  }

  private record Heading(int access, String superName, List<String> interfaces) {}

  private final Source source;
  private final Map<String, Optional<Heading>> headings = new HashMap<>();

  ClassFiles(Source source) {
    this.source = source;
  }

  /** A class file; empty where there is none. */
  Optional<ClassReader> find(String name) throws IOException {
    return source.find(name);
  }

  boolean isSerializable(String name) throws IOException {
    return isA(name, SERIALIZABLE);
  }

  boolean isExternalizable(String name) throws IOException {
    return isA(name, EXTERNALIZABLE);
  }

  /** Whether a class is, extends or implements another one. Visits each ancestor once. */
  boolean isA(String name, String ancestor) throws IOException {
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

  boolean isInterface(String name) throws IOException {
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
