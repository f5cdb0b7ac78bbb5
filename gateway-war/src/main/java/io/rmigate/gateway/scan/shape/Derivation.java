package io.rmigate.gateway.scan.shape;

import io.rmigate.gateway.scan.shape.Methods.Method;
import io.rmigate.protocol.jrmp.ReadSequence;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Derives from byte code which reads the {@code readExternal} of a class does, as a {@link
 * ReadSequence}: unframed data end where these end. {@link ReadObject} has proven before that no
 * failure of the stream is caught by who reads on, that no code keeps the stream, and that it goes
 * to no code which cannot be seen.
 *
 * <p>Followed are branches and loops on integers that were read from the object's own data, kept in
 * local variables, in arguments, in what methods return, in lengths of arrays, and in fields of the
 * object until any other code runs, which may change them. All else that decides about a read
 * proves nothing: fields of others, statics, results of methods that get no stream, classes of
 * objects, whether they are null. Nor does {@code available}, {@code skip}, {@code read}, {@code
 * readLine} or a cast of the stream.
 *
 * <p>Of one class; confined to one thread.
 */
final class Derivation {
  private static final String READ_EXTERNAL = "readExternal";
  private static final String SIGNATURE = "(Ljava/io/ObjectInput;)V";

  /** Methods, each counted for each place that it is called in. */
  private static final int MOST_PLANS = 400;

  private static final String NUMBERS = "ZBCSIJ";

  private final Methods methods;
  private final ClassNode type;
  private final List<String> fields = new ArrayList<>();
  private final List<FieldNode> fieldNodes = new ArrayList<>();
  private final int firstField;
  private int registers;
  private int plans;

  private Derivation(Methods methods, ClassNode type) throws IOException {
    this.methods = methods;
    this.type = type;
    Set<ClassNode> chain = new LinkedHashSet<>(List.of(type));
    chain.addAll(methods.ancestors(type));
    for (ClassNode one : chain) {
      for (FieldNode field : one.fields) {
        boolean counts = NUMBERS.contains(field.desc) || field.desc.startsWith("[");
        if ((field.access & Opcodes.ACC_STATIC) == 0 && counts) {
          fields.add(one.name + ' ' + field.name);
          fieldNodes.add(field);
        }
      }
    }
    firstField = registers(fields.size());
  }

  /**
   * The reads of the {@code readExternal} of a class; empty if its byte code does not show them.
   */
  static Optional<ReadSequence> of(Methods methods, ClassNode type) throws IOException {
    try {
      return Optional.of(derive(methods, type));
    } catch (UnderivableException unknown) {
      return Optional.empty();
    }
  }

  static ReadSequence derive(Methods methods, ClassNode type)
      throws IOException, UnderivableException {
    if ((type.access & Opcodes.ACC_ABSTRACT) != 0) {
      throw new UnderivableException(type.name + " has no objects");
    }
    Derivation derivation = new Derivation(methods, type);
    Method reader = derivation.only(methods.find(type, READ_EXTERNAL, SIGNATURE), READ_EXTERNAL);
    List<KnownValue> nothing = new ArrayList<>();
    for (int i = 0; i < derivation.fieldCount(); i++) {
      nothing.add(KnownValue.OTHER);
    }
    ReadPlan plan =
        new ReadPlan(
            derivation, reader, List.of(KnownValue.OBJECT, KnownValue.STREAM), nothing, null);
    return new ReadCode(derivation).of(plan);
  }

  /** Adds registers, and returns the first. */
  int registers(int count) {
    int first = registers;
    registers += count;
    return first;
  }

  void countPlan() throws UnderivableException {
    if (++plans > MOST_PLANS) {
      throw new UnderivableException("too many methods are called with the stream");
    }
  }

  int fieldCount() {
    return fields.size();
  }

  int fieldRegister(int number) {
    return firstField + number;
  }

  /** The number of a field of the object that is read, or of one of that class; else −1. */
  int fieldNumber(FieldInsnNode field) throws IOException {
    Set<String> seen = new LinkedHashSet<>();
    for (String owner = field.owner; owner != null && seen.add(owner); ) {
      int number = fields.indexOf(owner + ' ' + field.name);
      if (number >= 0) {
        return fieldNodes.get(number).desc.equals(field.desc) ? number : -1;
      }
      List<ClassNode> versions =
          owner.equals(type.name) ? List.of(type) : methods.classNodes(owner);
      owner = versions.isEmpty() ? null : versions.get(0).superName;
    }
    return -1;
  }

  /** The method that a call with the stream runs. */
  Method callee(MethodInsnNode call, Method caller, boolean onObject)
      throws IOException, UnderivableException {
    if (isOfOtherAncestor(call, caller)) {
      throw new UnderivableException(call.name + " is called past a superclass");
    }
    Set<Method> all = onObject ? methods.callees(call, caller, type) : methods.callees(call);
    return only(all, call.name);
  }

  /**
   * Whether a call with {@code super} names another class than the superclass: a JVM begins at the
   * superclass nevertheless.
   */
  private static boolean isOfOtherAncestor(MethodInsnNode call, Method caller) {
    return call.getOpcode() == Opcodes.INVOKESPECIAL
        && !call.itf
        && !call.name.equals("<init>")
        && !call.owner.equals(caller.owner().name)
        && !call.owner.equals(caller.owner().superName);
  }

  /** The only method, or the first of several versions that do the same. */
  private Method only(Set<Method> all, String name) throws IOException, UnderivableException {
    Method first = null;
    for (Method one : all) {
      if (one.isAbstract() || methods.files().isOfPlatform(one.owner().name)) {
        throw new UnderivableException(name + " cannot be seen");
      }
      if (first == null) {
        first = one;
      } else if (!first.owner().name.equals(one.owner().name)
          || !Arrays.equals(classFileOf(first), classFileOf(one))) {
        throw new UnderivableException(name + " may be one of several methods");
      }
    }
    if (first == null) {
      throw new UnderivableException(name + " cannot be found");
    }
    return first;
  }

  /** A class with this method alone: equal for methods that do the same. */
  private static byte[] classFileOf(Method method) {
    ClassWriter file = new ClassWriter(0);
    file.visit(Opcodes.V1_8, 0, "", null, null, null);
    method.code().accept(file);
    return file.toByteArray();
  }
}
