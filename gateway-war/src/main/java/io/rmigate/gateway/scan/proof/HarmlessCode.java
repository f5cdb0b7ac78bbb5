package io.rmigate.gateway.scan.proof;

import io.rmigate.gateway.scan.proof.Origin.Kind;
import io.rmigate.gateway.scan.shape.ClassFiles;
import io.rmigate.gateway.scan.shape.Methods;
import io.rmigate.gateway.scan.shape.Methods.Method;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * Judges methods by a list of harmless instructions and calls: all others are not harmless.
 * Harmless code
 *
 * <ul>
 *   <li>never goes back: it has no loops, no handlers of exceptions, and no method calls itself by
 *       way of others; all together it has some thousand steps;
 *   <li>knows only its object, its arguments and their fields: of static fields it reads values
 *       that never change and constants of enums, and writes none;
 *   <li>calls methods of the jars that are harmless in each subclass of the object's class, none
 *       through an interface, and of the JDK those of {@link HarmlessCalls};
 *   <li>makes no arrays but short ones, and no objects but exceptions that it throws, empty
 *       collections and objects of classes of the jars that are harmless themselves;
 *   <li>changes its object only while that is being read, and puts a reference of the message into
 *       one place at most;
 *   <li>hashes and compares only what holds no other objects, see {@link Moment}.
 * </ul>
 *
 * <p>Confined to one thread.
 */
final class HarmlessCode {
  /** Why a method runs. */
  enum Moment {
    /** An object is being read. Nothing counts what that costs: others are asked nothing. */
    READING,
    /** Its text is wanted, which no reader of the JDK does. */
    PRINTING,
    /** Its hash code is wanted, it is compared, or something else that its supertypes declare. */
    OTHER
  }

  /**
   * The result for a method.
   *
   * @param harm the way to what is not harmless, a call a line; empty if all is harmless
   * @param kept references that it puts into a field or an array
   * @param made classes of the jars of which it makes objects
   * @param objects how many objects and arrays it makes
   * @param steps how many instructions it runs
   */
  record Judgement(List<String> harm, Set<Origin> kept, Set<String> made, int objects, int steps) {
    static Judgement harm(List<String> way) {
      return new Judgement(way, Set.of(), Set.of(), 0, 0);
    }

    boolean isHarmless() {
      return harm.isEmpty();
    }
  }

  private record Visit(Method method, Moment moment) {}

  private final Methods methods;
  private final ClassFiles files;

  /** Whether classes are permitted that are in no jar, and may extend classes of the jars. */
  private final boolean othersExtend;

  private final Set<String> unreadable;
  private final Map<Visit, Judgement> known = new HashMap<>();
  private final Map<String, Set<String>> relatives = new HashMap<>();
  private final Set<Visit> open = new HashSet<>();

  /**
   * For classes of jars.
   *
   * @param unreadable internal names of classes of which a version cannot be read
   */
  HarmlessCode(Methods methods, boolean othersExtend, Set<String> unreadable) {
    this.methods = methods;
    this.files = methods.files();
    this.othersExtend = othersExtend;
    this.unreadable = unreadable;
  }

  /** Judges a method that something else than the jars calls. */
  Judgement judge(Method method, Moment moment) throws IOException {
    Judgement judged = visit(method, moment);
    if (!judged.isHarmless()) {
      return judged;
    }
    boolean ofRecord =
        method.code().name.equals("<init>") && files.isA(method.owner().name, "java/lang/Record");
    boolean keeps = judged.kept().stream().anyMatch(origin -> origin.is(Kind.ARGUMENT));
    return keeps && !ofRecord ? refused(method, "keeps what it is given") : judged;
  }

  Judgement visit(Method method, Moment moment) throws IOException {
    Visit visit = new Visit(method, moment);
    Judgement judged = known.get(visit);
    if (judged != null) {
      return judged;
    }
    if (!open.add(visit)) {
      return refused(method, "calls itself, by way of others or directly");
    }
    try {
      judged = new MethodCheck(this, method, moment).judge();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (AnalyzerException | RuntimeException damaged) {
      judged = refused(method, "byte code that cannot be understood");
    } finally {
      open.remove(visit);
    }
    known.put(visit, judged);
    return judged;
  }

  private static Judgement refused(Method method, String why) {
    return Judgement.harm(List.of(text(method), why));
  }

  /** A method for people, such as {@code com.acme.Order.equals(Object)}. */
  static String text(Method method) {
    StringBuilder text = new StringBuilder(method.owner().name.replace('/', '.'));
    text.append('.').append(method.code().name).append('(');
    String comma = "";
    for (Type argument : Type.getArgumentTypes(method.code().desc)) {
      String name = argument.getClassName();
      text.append(comma).append(name.substring(name.lastIndexOf('.') + 1));
      comma = ", ";
    }
    return text.append(')').toString();
  }

  /**
   * All methods of which a call may run one. A JVM skips some of them (JVM specification, 5.4.6),
   * which differs by release; here each has to be harmless.
   *
   * @param fixed the object's class does not matter
   * @param own the caller calls it on its own object
   */
  Set<Method> callees(MethodInsnNode call, boolean fixed, boolean own) throws IOException {
    Set<Method> found = methods.find(call.owner, call.name, call.desc);
    if (found.isEmpty()) {
      throw new HarmException(name(call) + ": code that is in no jar");
    }
    if (fixed) {
      return found;
    }
    if (othersExtend && !own && found.stream().anyMatch(Method::isOverridable)) {
      throw new HarmException(
          name(call) + ": a class that is permitted and in no jar may stand there");
    }
    Set<Method> all = new LinkedHashSet<>();
    for (String type : related(call.owner)) {
      addDeclared(type, call, all);
    }
    return all;
  }

  /** A class with its subclasses, and the ancestors of all of them. */
  private Set<String> related(String type) throws IOException {
    Set<String> all = relatives.get(type);
    if (all == null) {
      all = new LinkedHashSet<>(files.ancestors(type));
      for (String subclass : files.subclasses(type)) {
        if (!all.contains(subclass)) {
          all.addAll(files.ancestors(subclass));
        }
      }
      relatives.put(type, all);
    }
    return all;
  }

  private void addDeclared(String type, MethodInsnNode call, Set<Method> all) throws IOException {
    List<ClassNode> versions = methods.classNodes(type);
    if (versions.isEmpty() || isUnreadable(type)) {
      throw new HarmException(type.replace('/', '.') + ": is in no jar, or cannot be read");
    }
    for (ClassNode version : versions) {
      version.methods.stream()
          .filter(
              its ->
                  its.name.equals(call.name)
                      && its.desc.equals(call.desc)
                      && (its.access & Opcodes.ACC_ABSTRACT) == 0)
          .forEach(its -> all.add(new Method(version, its)));
    }
  }

  static String name(MethodInsnNode call) {
    return call.owner.replace('/', '.') + "." + call.name;
  }

  /** Whether a descriptor is that of an enum. */
  boolean isEnum(String descriptor) {
    Type type = Type.getType(descriptor);
    try {
      return type.getSort() == Type.OBJECT
          && !type.getInternalName().equals("java/lang/Enum")
          && files.isA(type.getInternalName(), "java/lang/Enum");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Whether an object of a type, by its descriptor, holds no objects but texts: a constant of an
   * enum, or of a class of the JDK that no class of the jars extends.
   */
  boolean isLeaf(String descriptor) {
    return isEnum(descriptor)
        || (HarmlessCalls.isLeaf(descriptor)
            && files.subclasses(Type.getType(descriptor).getInternalName()).isEmpty());
  }

  ClassFiles files() {
    return files;
  }

  Methods methods() {
    return methods;
  }

  boolean othersExtend() {
    return othersExtend;
  }

  boolean isUnreadable(String type) {
    return unreadable.stream().anyMatch(entry -> entry.equals(type) || entry.endsWith("/" + type));
  }
}
