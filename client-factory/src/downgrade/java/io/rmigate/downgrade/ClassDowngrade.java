package io.rmigate.downgrade;

import java.util.HashSet;
import java.util.ListIterator;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/** Rewrites one class file of Java 17 to one of Java 8. */
final class ClassDowngrade {
  private static final String COMPONENTS = "$components";
  private static final String EQUALS = "$equals";
  private static final String LATER_RECORD = "io/rmigate/java8/LaterRecord";

  private final Replacements replacements;
  private final NestAccess nests;

  ClassDowngrade(Replacements replacements, NestAccess nests) {
    this.replacements = replacements;
    this.nests = nests;
  }

  byte[] apply(ClassNode original) {
    ClassNode node = new ClassNode();
    original.accept(node);
    node.version = Opcodes.V1_8;
    node.nestHostClass = null;
    node.nestMembers = null;
    node.permittedSubclasses = null;
    node.recordComponents = null;
    node.access &= ~Opcodes.ACC_RECORD;
    node.signature = signature(node.access, node.signature);
    node.fields.forEach(
        field -> {
          field.signature = signature(field.access, field.signature);
          if (nests.isShared(node.name, field.name, field.desc)) {
            field.access &= ~Opcodes.ACC_PRIVATE;
          }
        });
    for (MethodNode method : node.methods) {
      method.signature = signature(method.access, method.signature);
      if (nests.isShared(original.name, method.name, method.desc)) {
        method.access &= ~Opcodes.ACC_PRIVATE;
        method.access |= (node.access & Opcodes.ACC_INTERFACE) == 0 ? 0 : Opcodes.ACC_PUBLIC;
      }
      method.parameters = null; // names that nothing asks for
      rewrite(node, method);
    }
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    ClassRemapper remapped = new ClassRemapper(writer, replacements);
    Optional<InvokeDynamicInsnNode> record = objectMethods(original);
    node.accept(remapped);
    record.ifPresent(site -> addComponents(node.name, site, remapped));
    return writer.toByteArray();
  }

  /** Generic types are for compilers, which need those that other packages may use. */
  private static String signature(int access, String generic) {
    return (access & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) == 0 ? null : generic;
  }

  private void rewrite(ClassNode node, MethodNode method) {
    ListIterator<AbstractInsnNode> instructions = method.instructions.iterator();
    Set<String> constructed = new HashSet<>();
    while (instructions.hasNext()) {
      AbstractInsnNode instruction = instructions.next();
      if (instruction instanceof MethodInsnNode call) {
        rewrite(node, call, constructed);
      } else if (instruction instanceof FieldInsnNode access) {
        replacements.of(
            access.owner, access.name, access.desc, access.getOpcode() == Opcodes.GETSTATIC);
      } else if (instruction instanceof InvokeDynamicInsnNode dynamic) {
        if (isObjectMethod(dynamic)) {
          instructions.remove();
          addRecordMethod(node.name, dynamic, instructions);
        } else {
          for (int i = 0; i < dynamic.bsmArgs.length; i++) {
            if (dynamic.bsmArgs[i] instanceof Handle handle) {
              dynamic.bsmArgs[i] = rewrite(node, handle);
            }
          }
        }
      }
    }
    if (!constructed.isEmpty()) {
      replaceNew(node, method, constructed);
    }
  }

  private void rewrite(ClassNode node, MethodInsnNode call, Set<String> constructed) {
    boolean isStatic = call.getOpcode() == Opcodes.INVOKESTATIC;
    Optional<Replacements.Member> replacement =
        replacements.of(call.owner, call.name, call.desc, isStatic);
    if (replacement.isPresent()) {
      Replacements.Member member = replacement.get();
      if (replacements.isLater(call.owner)) {
        replacements.requireKind(call.owner, call.itf);
        call.name = member.name(); // the type itself is mapped with all others
      } else if (call.name.equals("<init>")) {
        constructed.add(call.owner);
        call.owner = member.owner();
      } else {
        call.setOpcode(Opcodes.INVOKESTATIC);
        call.owner = member.owner();
        call.name = member.name();
        call.desc = member.descriptor();
        call.itf = false;
      }
    } else if (isPrivateCall(node, call)) {
      call.setOpcode(Opcodes.INVOKESPECIAL);
    }
  }

  /** Only INVOKESPECIAL calls private methods before Java 11. */
  private boolean isPrivateCall(ClassNode node, MethodInsnNode call) {
    return call.getOpcode() != Opcodes.INVOKESTATIC
        && call.owner.equals(node.name)
        && nests.staysPrivate(call.owner, call.name, call.desc);
  }

  private Handle rewrite(ClassNode node, Handle handle) {
    int tag = handle.getTag();
    boolean isStatic = tag == Opcodes.H_INVOKESTATIC;
    Optional<Replacements.Member> replacement =
        replacements.of(handle.getOwner(), handle.getName(), handle.getDesc(), isStatic);
    if (replacement.isPresent()) {
      Replacements.Member member = replacement.get();
      if (replacements.isLater(handle.getOwner())) {
        replacements.requireKind(handle.getOwner(), handle.isInterface());
        return handle;
      }
      int to = tag == Opcodes.H_NEWINVOKESPECIAL ? tag : Opcodes.H_INVOKESTATIC;
      return new Handle(to, member.owner(), member.name(), member.descriptor(), false);
    }
    boolean isPrivate =
        handle.getOwner().equals(node.name)
            && nests.staysPrivate(handle.getOwner(), handle.getName(), handle.getDesc());
    if (isPrivate && (tag == Opcodes.H_INVOKEVIRTUAL || tag == Opcodes.H_INVOKEINTERFACE)) {
      tag = Opcodes.H_INVOKESPECIAL;
    } else if (tag == Opcodes.H_INVOKESPECIAL
        && nests.isShared(handle.getOwner(), handle.getName(), handle.getDesc())) {
      tag = Opcodes.H_INVOKEVIRTUAL;
    }
    return new Handle(
        tag, handle.getOwner(), handle.getName(), handle.getDesc(), handle.isInterface());
  }

  /**
   * The objects that a method constructs with constructors of a later Java are objects of the
   * replacing subclass.
   */
  private static void replaceNew(ClassNode node, MethodNode method, Set<String> constructed) {
    for (AbstractInsnNode instruction : method.instructions) {
      if (instruction instanceof MethodInsnNode call
          && call.name.equals("<init>")
          && constructed.contains(call.owner)) {
        throw new IllegalStateException(
            node.name
                + "."
                + method.name
                + " uses two constructors of "
                + call.owner
                + ", one of which Java 8 lacks");
      }
      if (instruction instanceof TypeInsnNode made
          && made.getOpcode() == Opcodes.NEW
          && constructed.contains(made.desc)) {
        made.desc = Replacements.replacement(made.desc);
      }
    }
  }

  private static boolean isObjectMethod(InvokeDynamicInsnNode dynamic) {
    return dynamic.bsm.getOwner().equals("java/lang/runtime/ObjectMethods");
  }

  private static Optional<InvokeDynamicInsnNode> objectMethods(ClassNode node) {
    for (MethodNode method : node.methods) {
      for (AbstractInsnNode instruction : method.instructions) {
        if (instruction instanceof InvokeDynamicInsnNode dynamic && isObjectMethod(dynamic)) {
          return Optional.of(dynamic);
        }
      }
    }
    return Optional.empty();
  }

  /** Calls that do what the bootstrap method of records makes on Java 17. */
  private static void addRecordMethod(
      String record, InvokeDynamicInsnNode site, ListIterator<AbstractInsnNode> instructions) {
    String one = "(L" + record + ";)[Ljava/lang/Object;";
    switch (site.name) {
      case "toString" -> {
        instructions.add(new MethodInsnNode(Opcodes.INVOKESTATIC, record, COMPONENTS, one, false));
        int start = Math.max(record.lastIndexOf('/'), record.lastIndexOf('$')) + 1;
        instructions.add(new LdcInsnNode(record.substring(start)));
        instructions.add(new LdcInsnNode(site.bsmArgs[1]));
        instructions.add(
            new MethodInsnNode(
                Opcodes.INVOKESTATIC,
                LATER_RECORD,
                "toString",
                "([Ljava/lang/Object;Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;",
                false));
      }
      case "hashCode" -> {
        instructions.add(new MethodInsnNode(Opcodes.INVOKESTATIC, record, COMPONENTS, one, false));
        instructions.add(
            new MethodInsnNode(
                Opcodes.INVOKESTATIC, LATER_RECORD, "hashCode", "([Ljava/lang/Object;)I", false));
      }
      case "equals" ->
          instructions.add(
              new MethodInsnNode(
                  Opcodes.INVOKESTATIC,
                  record,
                  EQUALS,
                  "(L" + record + ";Ljava/lang/Object;)Z",
                  false));
      default -> throw new IllegalStateException(record + "." + site.name);
    }
  }

  private static void addComponents(String record, InvokeDynamicInsnNode site, ClassRemapper to) {
    String type = "L" + record + ";";
    int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC;
    MethodVisitor components =
        to.visitMethod(access, COMPONENTS, "(" + type + ")[Ljava/lang/Object;", null, null);
    components.visitCode();
    int count = site.bsmArgs.length - 2;
    components.visitIntInsn(Opcodes.SIPUSH, count);
    components.visitTypeInsn(Opcodes.ANEWARRAY, "java/lang/Object");
    for (int i = 0; i < count; i++) {
      Handle field = (Handle) site.bsmArgs[i + 2];
      components.visitInsn(Opcodes.DUP);
      components.visitIntInsn(Opcodes.SIPUSH, i);
      components.visitVarInsn(Opcodes.ALOAD, 0);
      components.visitFieldInsn(
          Opcodes.GETFIELD, field.getOwner(), field.getName(), field.getDesc());
      box(components, Type.getType(field.getDesc()));
      components.visitInsn(Opcodes.AASTORE);
    }
    components.visitInsn(Opcodes.ARETURN);
    components.visitMaxs(0, 0);
    components.visitEnd();

    MethodVisitor equals =
        to.visitMethod(access, EQUALS, "(" + type + "Ljava/lang/Object;)Z", null, null);
    equals.visitCode();
    equals.visitVarInsn(Opcodes.ALOAD, 1);
    equals.visitTypeInsn(Opcodes.INSTANCEOF, record);
    Label same = new Label();
    equals.visitJumpInsn(Opcodes.IFNE, same);
    equals.visitInsn(Opcodes.ICONST_0);
    equals.visitInsn(Opcodes.IRETURN);
    equals.visitLabel(same);
    equals.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
    equals.visitVarInsn(Opcodes.ALOAD, 0);
    equals.visitMethodInsn(
        Opcodes.INVOKESTATIC, record, COMPONENTS, "(" + type + ")[Ljava/lang/Object;", false);
    equals.visitVarInsn(Opcodes.ALOAD, 1);
    equals.visitTypeInsn(Opcodes.CHECKCAST, record);
    equals.visitMethodInsn(
        Opcodes.INVOKESTATIC, record, COMPONENTS, "(" + type + ")[Ljava/lang/Object;", false);
    equals.visitMethodInsn(
        Opcodes.INVOKESTATIC,
        "java/util/Arrays",
        "equals",
        "([Ljava/lang/Object;[Ljava/lang/Object;)Z",
        false);
    equals.visitInsn(Opcodes.IRETURN);
    equals.visitMaxs(0, 0);
    equals.visitEnd();
  }

  private static void box(MethodVisitor to, Type type) {
    String boxed =
        switch (type.getSort()) {
          case Type.BOOLEAN -> "java/lang/Boolean";
          case Type.BYTE -> "java/lang/Byte";
          case Type.CHAR -> "java/lang/Character";
          case Type.SHORT -> "java/lang/Short";
          case Type.INT -> "java/lang/Integer";
          case Type.LONG -> "java/lang/Long";
          case Type.FLOAT -> "java/lang/Float";
          case Type.DOUBLE -> "java/lang/Double";
          default -> null;
        };
    if (boxed != null) {
      to.visitMethodInsn(
          Opcodes.INVOKESTATIC,
          boxed,
          "valueOf",
          "(" + type.getDescriptor() + ")L" + boxed + ";",
          false);
    }
  }
}
