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
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Finds the methods that byte code calls, as a JVM would. Confined to one thread. */
public final class Methods {
  /** No class has more; damaged ones may be their own. */
  private static final int MOST_ANCESTORS = 64;

  /** A method and the class that it stands in. */
  public record Method(ClassNode owner, MethodNode code) {
    /** Whether it has no byte code: what runs in its place is not known. */
    boolean isAbstract() {
      return (code.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0;
    }

    /**
     * Whether it runs in place of a method of the same signature in another version or an ancestor
     * of its class (Java Virtual Machine Specification, section 5.4.5).
     */
    boolean overrides(Method other) {
      int open = Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED;
      boolean sees =
          (other.code.access & open) != 0 || packageOf(owner).equals(packageOf(other.owner));
      return sees && (code.access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC)) == 0;
    }

    private static String packageOf(ClassNode type) {
      return type.name.substring(0, type.name.lastIndexOf('/') + 1);
    }

    /** Whether a subclass may have another one that runs in its place. */
    public boolean isOverridable() {
      int fixed = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL;
      return ((code.access | (owner.access & Opcodes.ACC_FINAL)) & fixed) == 0;
    }
  }

  private final ClassFiles files;
  private final Map<String, List<ClassNode>> classes = new HashMap<>();
  private final Map<ClassNode, Map<String, MethodNode>> declared = new HashMap<>();

  public Methods(ClassFiles files) {
    this.files = files;
  }

  public ClassFiles files() {
    return files;
  }

  /**
   * All methods that a call may run, as far as jars and the JDK can tell. That is more than one
   * where a class of the jars overrides the method, or where a class is there more than once.
   *
   * @return empty if one of them cannot be seen
   */
  Set<Method> callees(MethodInsnNode call) throws IOException {
    Set<Method> all = new LinkedHashSet<>(find(call.owner, call.name, call.desc));
    if (all.isEmpty() || !isByObject(call) || all.stream().noneMatch(Method::isOverridable)) {
      return all;
    }
    for (String subclass : files.subclasses(call.owner)) {
      Set<Method> its = find(subclass, call.name, call.desc);
      if (its.isEmpty()) {
        return Set.of();
      }
      all.addAll(its);
    }
    return all;
  }

  /**
   * All methods that a call may run which a method makes on its own object, which is of that class.
   *
   * @return empty also where a method stands in the way that does not override the one called
   */
  Set<Method> callees(MethodInsnNode call, Method caller, ClassNode object) throws IOException {
    Set<Method> named = find(call.owner, call.name, call.desc);
    if (!isByObject(call) || named.stream().noneMatch(Method::isOverridable)) {
      return named; // of each version of its class
    }
    Set<Method> found = find(object, call.name, call.desc);
    for (Method one : found) {
      for (Method other : named) {
        if (!one.equals(other) && !one.overrides(other)) {
          return Set.of();
        }
      }
    }
    return found;
  }

  private static boolean isByObject(MethodInsnNode call) {
    return call.getOpcode() == Opcodes.INVOKEVIRTUAL || call.getOpcode() == Opcodes.INVOKEINTERFACE;
  }

  /** The method of a class, or the one that it inherits, of each version that there is of it. */
  public Set<Method> find(String owner, String name, String signature) throws IOException {
    return find(owner, name, signature, 0);
  }

  private Set<Method> find(String owner, String name, String signature, int depth)
      throws IOException {
    Set<Method> all = new LinkedHashSet<>();
    for (ClassNode version : classNodes(owner)) {
      Set<Method> its = find(version, name, signature, depth);
      if (its.isEmpty()) {
        return its;
      }
      all.addAll(its);
    }
    return all;
  }

  /**
   * The method of a class that is at hand, or the one that it inherits; classes go before
   * interfaces.
   */
  Set<Method> find(ClassNode owner, String name, String signature) throws IOException {
    return find(owner, name, signature, 0);
  }

  private Set<Method> find(ClassNode owner, String name, String signature, int depth)
      throws IOException {
    Optional<Method> declared = declared(owner, name, signature);
    if (declared.isPresent()) {
      return Set.of(declared.get());
    }
    boolean more = owner.superName != null && depth < MOST_ANCESTORS;
    Set<Method> inherited = more ? find(owner.superName, name, signature, depth + 1) : Set.of();
    boolean ofClass =
        inherited.stream().anyMatch(method -> !isInterface(method.owner())); // may be abstract
    return ofClass ? inherited : ofInterfaces(owner, name, signature);
  }

  /** The default methods with code, if any; the most specific one need not be known here. */
  private Set<Method> ofInterfaces(ClassNode owner, String name, String signature)
      throws IOException {
    Set<Method> all = new LinkedHashSet<>();
    Set<ClassNode> seen = new HashSet<>();
    Deque<ClassNode> open = new ArrayDeque<>(List.of(owner));
    while (!open.isEmpty()) {
      ClassNode type = open.remove();
      if (isInterface(type)) {
        declared(type, name, signature).ifPresent(all::add);
      }
      List<String> parents = new ArrayList<>(type.interfaces);
      parents.add(type.superName);
      for (String parent : parents) {
        for (ClassNode version : classNodes(parent)) {
          if (seen.add(version)) {
            open.add(version);
          }
        }
      }
    }
    boolean code = all.stream().anyMatch(method -> !method.isAbstract());
    all.removeIf(method -> code && method.isAbstract());
    return all;
  }

  private static boolean isInterface(ClassNode type) {
    return (type.access & Opcodes.ACC_INTERFACE) != 0;
  }

  /** The superclasses of a class that are not of the JDK, as far as they can be seen. */
  Set<ClassNode> ancestors(ClassNode type) throws IOException {
    Set<ClassNode> all = new LinkedHashSet<>();
    Deque<ClassNode> open = new ArrayDeque<>(List.of(type));
    while (!open.isEmpty()) {
      String parent = open.remove().superName;
      if (parent != null && !files.isOfPlatform(parent)) {
        for (ClassNode version : classNodes(parent)) {
          if (all.add(version)) {
            open.add(version);
          }
        }
      }
    }
    return all;
  }

  private Optional<Method> declared(ClassNode type, String name, String signature) {
    Map<String, MethodNode> its = declared.get(type);
    if (its == null) {
      its = new HashMap<>();
      for (MethodNode method : type.methods) {
        its.putIfAbsent(method.name + method.desc, method);
      }
      declared.put(type, its);
    }
    return Optional.ofNullable(its.get(name + signature)).map(method -> new Method(type, method));
  }

  /** A class, in all versions that there are of it. */
  public List<ClassNode> classNodes(String name) throws IOException {
    if (name == null) {
      return List.of();
    }
    List<ClassNode> known = classes.get(name);
    if (known == null) {
      known = files.versions(name).stream().map(Methods::parse).toList();
      classes.put(name, known);
    }
    return known;
  }

  private static ClassNode parse(ClassReader file) {
    ClassNode type = new ClassNode();
    file.accept(type, ClassReader.SKIP_FRAMES | ClassReader.SKIP_DEBUG);
    return type;
  }
}
