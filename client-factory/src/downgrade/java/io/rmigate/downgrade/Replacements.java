package io.rmigate.downgrade;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.Remapper;
import org.objectweb.asm.tree.ClassNode;

/**
 * What stands for API that Java 8 lacks. {@code io.rmigate.java8.LaterX} has what later releases
 * added to the class {@code X}: its static methods take the object first; its constructors are
 * those of a subclass. Where Java 8 has no class {@code X}, {@code LaterX} is that class.
 */
final class Replacements extends Remapper {
  private static final String PREFIX = "io/rmigate/java8/Later";

  /** Types without which Java 8 does, and what stands for them where they are named. */
  private static final Map<String, String> SUPERTYPES =
      Map.of(
          "java/lang/Record", "java/lang/Object",
          "java/lang/reflect/InaccessibleObjectException", "java/lang/RuntimeException");

  private final JavaApi java8;
  private final Map<String, ClassNode> ours;
  private final Map<String, ClassNode> later;
  private final Set<String> unknown;

  Replacements(
      JavaApi java8,
      Map<String, ClassNode> ours,
      Map<String, ClassNode> later,
      Set<String> unknown) {
    super(Opcodes.ASM9);
    this.java8 = java8;
    this.ours = ours;
    this.later = later;
    this.unknown = unknown;
  }

  /** The members of a class that the classes of other packages can use. */
  static Set<String> visible(ClassNode node) {
    Set<String> members = new TreeSet<>();
    node.methods.stream()
        .filter(method -> (method.access & Opcodes.ACC_PUBLIC) != 0)
        .forEach(method -> members.add(method.name + method.desc));
    node.fields.stream()
        .filter(field -> (field.access & Opcodes.ACC_PUBLIC) != 0)
        .forEach(field -> members.add(field.name + field.desc));
    return members;
  }

  @Override
  public String map(String type) {
    if (!isLater(type) || type.startsWith(PREFIX)) {
      return type;
    }
    String supertype = SUPERTYPES.get(type);
    if (supertype != null) {
      return supertype;
    }
    String replacement = replacement(type);
    if (!later.containsKey(replacement)) {
      unknown.add(type.replace('/', '.'));
    }
    return replacement;
  }

  /** Whether Java 8 has no such type at all, so that another is named wherever it is. */
  boolean isLater(String type) {
    return !ours.containsKey(type) && !java8.has(type) && !type.startsWith("[");
  }

  /**
   * Notes a type whose replacement is a class where it is called as an interface, or the reverse: a
   * JVM refuses such a call with an IncompatibleClassChangeError.
   */
  void requireKind(String type, boolean isInterface) {
    ClassNode node = later.get(map(type));
    if (node != null && isInterface != ((node.access & Opcodes.ACC_INTERFACE) != 0)) {
      unknown.add(type.replace('/', '.') + " as " + (isInterface ? "an interface" : "a class"));
    }
  }

  static String replacement(String type) {
    return PREFIX + type.substring(type.lastIndexOf('/') + 1);
  }

  /** What stands for a member; empty where Java 8 has it, or a class of this project. */
  Optional<Member> of(String owner, String name, String descriptor, boolean isStatic) {
    if (owner.startsWith("[") || has(owner, name + descriptor)) {
      return Optional.empty();
    }
    if (isLater(owner)) {
      return Optional.of(ofLaterType(owner, name, descriptor));
    }
    for (String type : jdkTypes(owner)) {
      Member member = replacedBy(type, name, descriptor, isStatic);
      if (exists(member)) {
        return Optional.of(member);
      }
    }
    unknown.add(owner.replace('/', '.') + "." + name + descriptor);
    return Optional.empty();
  }

  private Member ofLaterType(String owner, String name, String descriptor) {
    String mapped = map(owner);
    Member member =
        new Member(
            mapped,
            owner.equals("java/lang/invoke/VarHandle") ? name + valueType(name, descriptor) : name,
            mapDescriptor(descriptor));
    if (mapped.startsWith(PREFIX) && !exists(member)) {
      unknown.add(owner.replace('/', '.') + "." + member.name() + descriptor);
    }
    return member;
  }

  /**
   * Methods of a VarHandle take and return what the caller says; those that stand for them have one
   * name for each type.
   */
  private static String valueType(String name, String descriptor) {
    Type[] arguments = Type.getArgumentTypes(descriptor);
    Type value =
        name.equals("get") ? Type.getReturnType(descriptor) : arguments[arguments.length - 1];
    String type = value.getClassName();
    return Character.toUpperCase(type.charAt(0)) + type.substring(1);
  }

  private Member replacedBy(String type, String name, String descriptor, boolean isStatic) {
    String mapped = mapDescriptor(descriptor);
    boolean takesObject = !isStatic && !name.equals("<init>");
    return new Member(
        replacement(type), name, takesObject ? "(L" + type + ";" + mapped.substring(1) : mapped);
  }

  private String mapDescriptor(String descriptor) {
    return descriptor.startsWith("(") ? mapMethodDesc(descriptor) : mapDesc(descriptor);
  }

  private boolean exists(Member member) {
    ClassNode node = later.get(member.owner());
    return node != null && visible(node).contains(member.name() + member.descriptor());
  }

  private boolean has(String owner, String member) {
    ClassNode node = ours.get(owner);
    if (node == null) {
      return java8.has(owner, member)
          || (owner.equals("java/lang/invoke/MethodHandle") && member.startsWith("invoke"));
    }
    return node.methods.stream().anyMatch(method -> (method.name + method.desc).equals(member))
        || node.fields.stream().anyMatch(field -> (field.name + field.desc).equals(member))
        || parents(node).stream().anyMatch(parent -> has(parent, member));
  }

  private static List<String> parents(ClassNode node) {
    List<String> parents = new ArrayList<>();
    parents.add(node.superName);
    parents.addAll(node.interfaces);
    return parents;
  }

  private List<String> jdkTypes(String owner) {
    ClassNode node = ours.get(owner);
    if (node == null) {
      return List.of(owner);
    }
    return parents(node).stream().flatMap(parent -> jdkTypes(parent).stream()).distinct().toList();
  }

  /** A member that is called instead of another. */
  record Member(String owner, String name, String descriptor) {}
}
