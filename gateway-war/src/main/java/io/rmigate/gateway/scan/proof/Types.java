package io.rmigate.gateway.scan.proof;

import io.rmigate.gateway.scan.shape.JarClassFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The classes of the jars and of the running JDK by their internal names: what they extend, and
 * which methods and fields they declare. Nothing is loaded. Confined to one thread.
 */
final class Types {
  static final String OBJECT = "java/lang/Object";
  private static final String SERIALIZABLE = "java/io/Serializable";

  /** Superclasses without anything that changes. */
  private static final Set<String> UNCHANGING =
      Set.of(OBJECT, "java/lang/Enum", "java/lang/Number", "java/lang/Record");

  /** A class file: one of a class that may be there more than once. */
  static final class Version {
    final ClassReader file;
    final String name;
    final int access;
    final String superName;
    final List<String> interfaces;

    /** By name and descriptor: access flags. */
    final Map<String, Integer> methods = new HashMap<>();

    final Map<String, Integer> fields = new HashMap<>();
    final Map<String, String> fieldTypes = new HashMap<>();

    private Version(ClassReader file) {
      this.file = file;
      name = file.getClassName();
      access = file.getAccess();
      superName = file.getSuperName();
      interfaces = List.of(file.getInterfaces());
      file.accept(
          new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(
                int flags, String method, String desc, String signature, String[] exceptions) {
              methods.put(method + desc, flags);
              return null;
            }

            @Override
            public FieldVisitor visitField(
                int flags, String field, String desc, String signature, Object value) {
              fields.put(field, flags);
              fieldTypes.put(field, desc);
              return null;
            }
          },
          ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    }

    boolean isInterface() {
      return (access & Opcodes.ACC_INTERFACE) != 0;
    }

    boolean isAbstract() {
      return (access & Opcodes.ACC_ABSTRACT) != 0;
    }
  }

  /** A method, and the class file in which it stands. */
  record Member(Version owner, String signature) {
    int access() {
      return owner.methods.get(signature);
    }

    boolean isAbstract() {
      return (access() & Opcodes.ACC_ABSTRACT) != 0;
    }
  }

  private final Map<String, List<ClassReader>> jars;
  private final Map<String, List<Version>> versions = new HashMap<>();
  private final Map<String, Set<String>> ancestors = new HashMap<>();
  private final Map<String, Set<String>> subtypes = new HashMap<>();
  private final Map<String, List<Member>> found = new HashMap<>();
  private final Map<String, Boolean> immutable = new HashMap<>();

  Types(JarClassFiles files) {
    jars = files.byName();
  }

  /** The names of all classes of the jars. */
  Set<String> ofJars() {
    return jars.keySet();
  }

  /** All class files of that name; empty where there is none. */
  List<Version> versions(String name) {
    List<Version> known = versions.get(name);
    if (known == null) {
      List<ClassReader> files = jars.get(name);
      known = (files == null ? ofThisJdk(name) : files).stream().map(Version::new).toList();
      versions.put(name, known);
    }
    return known;
  }

  private static List<ClassReader> ofThisJdk(String name) {
    try (InputStream in =
        ClassLoader.getPlatformClassLoader().getResourceAsStream(name + ".class")) {
      return in == null ? List.of() : List.of(new ClassReader(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean isOfJars(String name) {
    return jars.containsKey(name);
  }

  boolean isThere(String name) {
    return !versions(name).isEmpty();
  }

  boolean isInterface(String name) {
    return versions(name).stream().anyMatch(Version::isInterface);
  }

  /** A class, all that it extends and implements, and what of these is not there. */
  Set<String> ancestors(String name) {
    Set<String> known = ancestors.get(name);
    if (known == null) {
      known = new LinkedHashSet<>();
      Deque<String> open = new ArrayDeque<>(List.of(name));
      while (!open.isEmpty()) {
        String next = open.remove();
        if (known.add(next)) {
          for (Version version : versions(next)) {
            open.addAll(version.interfaces);
            if (version.superName != null) {
              open.add(version.superName);
            }
          }
        }
      }
      ancestors.put(name, known);
    }
    return known;
  }

  boolean isA(String name, String ancestor) {
    return ancestors(name).contains(ancestor);
  }

  boolean isSerializable(String name) {
    return isA(name, SERIALIZABLE);
  }

  /** The classes and interfaces of the jars that are of a type, itself included if it is theirs. */
  Set<String> subtypes(String type) {
    if (subtypes.isEmpty()) {
      for (String name : ofJars()) {
        for (String ancestor : ancestors(name)) {
          subtypes.computeIfAbsent(ancestor, first -> new LinkedHashSet<>(2)).add(name);
        }
      }
    }
    return subtypes.getOrDefault(type, Set.of());
  }

  /** Whether objects may have just that class. */
  boolean isConcrete(String name) {
    return versions(name).stream().anyMatch(version -> !version.isAbstract());
  }

  /**
   * The method of a class, or the one that it inherits, in each version that there is of it, as a
   * JVM finds it; empty if it cannot be seen.
   */
  List<Member> find(String owner, String signature) {
    String key = owner + '.' + signature;
    List<Member> known = found.get(key);
    if (known == null) {
      found.put(key, List.of()); // whoever is his own ancestor has none
      Set<Member> all = new LinkedHashSet<>();
      for (Version version : versions(owner)) {
        all.addAll(find(version, signature));
      }
      known = List.copyOf(all);
      found.put(key, known);
    }
    return known;
  }

  private List<Member> find(Version version, String signature) {
    if (version.methods.containsKey(signature)) {
      return List.of(new Member(version, signature));
    }
    List<Member> inherited =
        version.superName == null ? List.of() : find(version.superName, signature);
    if (inherited.stream().anyMatch(member -> !member.owner().isInterface())) {
      return inherited;
    }
    Set<Member> all = new LinkedHashSet<>(inherited);
    for (String parent : version.interfaces) {
      all.addAll(find(parent, signature));
    }
    if (version.isInterface() && all.isEmpty()) {
      all.addAll(find(OBJECT, signature));
    }
    if (all.stream().anyMatch(member -> !member.isAbstract())) {
      all.removeIf(Member::isAbstract);
    }
    return List.copyOf(all);
  }

  /** Where a field is declared, as far as that can be seen, else what was asked for. */
  String declaring(String owner, String field) {
    for (String type : ancestors(owner)) {
      for (Version version : versions(type)) {
        if (version.fields.containsKey(field)) {
          return type;
        }
      }
    }
    return owner;
  }

  /** The access flags of a field; 0 if it cannot be seen. */
  int fieldAccess(String owner, String field) {
    for (Version version : versions(declaring(owner, field))) {
      Integer access = version.fields.get(field);
      if (access != null) {
        return access;
      }
    }
    return 0;
  }

  /** Whether no object of a type ever changes, nor anything that it leads to. */
  boolean isImmutable(String type) {
    if (!isOfJars(type)) {
      return PlatformCalls.isImmutable(type);
    }
    Boolean known = immutable.get(type);
    if (known == null) {
      immutable.put(type, true); // by whoever refers to his own like
      known =
          !isInterface(type)
              && subtypes(type).stream().allMatch(this::isImmutableItself)
              && isImmutableItself(type);
      immutable.put(type, known);
    }
    return known;
  }

  /** The same, of objects of just that class. */
  boolean isImmutableItself(String type) {
    if (!isOfJars(type)) {
      return PlatformCalls.isImmutable(type) || type.equals(OBJECT);
    }
    for (String ancestor : ancestors(type)) {
      if (!isOfJars(ancestor) && !isInterface(ancestor) && !UNCHANGING.contains(ancestor)) {
        return false;
      }
      for (Version version : versions(ancestor)) {
        for (Map.Entry<String, Integer> field : version.fields.entrySet()) {
          if ((field.getValue() & Opcodes.ACC_STATIC) == 0
              && ((field.getValue() & Opcodes.ACC_FINAL) == 0
                  || !isImmutable(Type.getType(version.fieldTypes.get(field.getKey()))))) {
            return false;
          }
        }
      }
    }
    return true;
  }

  private boolean isImmutable(Type type) {
    return switch (type.getSort()) {
      case Type.OBJECT -> isImmutable(type.getInternalName());
      case Type.ARRAY -> false;
      default -> true;
    };
  }

  /** Whether a lambda may stand there: an interface with one abstract method. */
  boolean isFunctional(String name) {
    if (!isInterface(name)) {
      return false;
    }
    List<String> open = new ArrayList<>();
    for (String type : ancestors(name)) {
      for (Version version : versions(type)) {
        version.methods.forEach(
            (signature, access) -> {
              if ((access & Opcodes.ACC_ABSTRACT) != 0
                  && version.isInterface()
                  && find(OBJECT, signature).isEmpty()) {
                open.add(signature);
              }
            });
      }
    }
    return open.stream().distinct().count() == 1;
  }
}
