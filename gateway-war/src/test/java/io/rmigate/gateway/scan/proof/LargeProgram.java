package io.rmigate.gateway.scan.proof;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Jars as those of a large application: values with fields, {@code hashCode} and {@code equals} by
 * their texts, and {@code toString}, some with readers of their own, some abstract, and services
 * that call each other. The same each time. Of {@value #KINDS} classes one does harm when it is
 * turned into text.
 */
final class LargeProgram {
  private static final int KINDS = 20;
  private static final String OBJECT = "java/lang/Object";
  private static final String TEXT = "Ljava/lang/String;";
  private static final String READER = "(Ljava/io/ObjectInputStream;)V";

  private final Random random = new Random(7);
  private final int jars;
  private final int classesOfJar;
  private int values;
  private int harmful;

  LargeProgram(int jars, int classesOfJar) {
    this.jars = jars;
    this.classesOfJar = classesOfJar;
  }

  /** Serializable classes that do no harm, of what was written. */
  int values() {
    return values;
  }

  /** Serializable classes that do harm. */
  int harmful() {
    return harmful;
  }

  /** Writes the jars. */
  List<Path> write(Path directory) throws IOException {
    List<Path> all = new ArrayList<>();
    for (int jar = 0; jar < jars; jar++) {
      Path file = directory.resolve("module" + jar + ".jar");
      try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
        for (int i = 0; i < classesOfJar; i++) {
          zip.putNextEntry(new ZipEntry(name(jar, i) + ".class"));
          zip.write(type(jar, i));
          zip.closeEntry();
        }
      }
      all.add(file);
    }
    return all;
  }

  private static String name(int jar, int number) {
    return "app/module" + jar + "/" + kind(number) + number;
  }

  private static String kind(int number) {
    int kind = number % KINDS;
    if (kind == 0) {
      return "Step";
    }
    if (kind == 1) {
      return "Base";
    }
    if (kind == 2) {
      return "Harm";
    }
    return kind < 12 ? "Value" : "Service";
  }

  /** A value of this jar or of one before it. */
  private String anyValue(int jar) {
    int of = Math.max(0, jar - random.nextInt(4));
    int number = random.nextInt(classesOfJar / KINDS) * KINDS + 3 + random.nextInt(9);
    return name(of, number);
  }

  private byte[] type(int jar, int number) {
    String name = name(jar, number);
    int first = number - number % KINDS;
    return switch (kind(number)) {
      case "Step" -> step(name);
      case "Base" -> {
        values++;
        yield value(name, OBJECT, jar, Opcodes.ACC_ABSTRACT, List.of("java/io/Serializable"));
      }
      case "Harm" -> {
        harmful++;
        yield value(name, name(jar, first + 1), jar, 0, List.of());
      }
      case "Value" -> {
        values++;
        boolean below = random.nextBoolean();
        yield below
            ? value(name, name(jar, first + 1), jar, 0, List.of(name(jar, first)))
            : value(name, OBJECT, jar, 0, List.of("java/io/Serializable"));
      }
      default -> service(name, jar, first);
    };
  }

  private static byte[] step(String name) {
    ClassWriter type = new ClassWriter(0);
    type.visit(
        Opcodes.V1_5,
        Opcodes.ACC_PUBLIC | Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT,
        name,
        null,
        OBJECT,
        null);
    int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_ABSTRACT;
    type.visitMethod(access, "label", "()Ljava/lang/String;", null, null).visitEnd();
    type.visitEnd();
    return type.toByteArray();
  }

  private static void constructor(ClassWriter type, String superName) {
    MethodVisitor code = type.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
    code.visitCode();
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitMethodInsn(Opcodes.INVOKESPECIAL, superName, "<init>", "()V", false);
    end(code, Opcodes.RETURN);
  }

  private static void end(MethodVisitor code, int opcode) {
    code.visitInsn(opcode);
    code.visitMaxs(0, 0);
    code.visitEnd();
  }

  private byte[] value(
      String name, String superName, int jar, int access, List<String> interfaces) {
    ClassWriter type = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    type.visit(
        Opcodes.V1_5,
        Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER | access,
        name,
        null,
        superName,
        interfaces.toArray(String[]::new));
    constructor(type, superName);
    List<String[]> fields = new ArrayList<>();
    int count = 2 + random.nextInt(7);
    for (int i = 0; i < count; i++) {
      String descriptor =
          switch (random.nextInt(6)) {
            case 0 -> "Ljava/lang/Object;";
            case 1 -> "Ljava/util/List;";
            case 2 -> "L" + anyValue(jar) + ";";
            default -> TEXT;
          };
      String field = "field" + i;
      type.visitField(Opcodes.ACC_PRIVATE, field, descriptor, null, null).visitEnd();
      fields.add(new String[] {field, descriptor});
      MethodVisitor getter =
          type.visitMethod(Opcodes.ACC_PUBLIC, "get" + i, "()" + descriptor, null, null);
      getter.visitCode();
      getter.visitVarInsn(Opcodes.ALOAD, 0);
      getter.visitFieldInsn(Opcodes.GETFIELD, name, field, descriptor);
      end(getter, Opcodes.ARETURN);
    }
    List<String[]> texts = fields.stream().filter(field -> field[1].equals(TEXT)).toList();
    hashCode(type, name, texts);
    equals(type, name, texts);
    text(type, name, fields, name.contains("/Harm"));
    if (!interfaces.isEmpty() && interfaces.get(0).contains("/Step")) {
      MethodVisitor label =
          type.visitMethod(Opcodes.ACC_PUBLIC, "label", "()Ljava/lang/String;", null, null);
      label.visitCode();
      label.visitLdcInsn(name);
      end(label, Opcodes.ARETURN);
    }
    if (random.nextInt(5) == 0) {
      reader(type, name, fields);
    }
    type.visitEnd();
    return type.toByteArray();
  }

  private static void hashCode(ClassWriter type, String name, List<String[]> fields) {
    MethodVisitor code = type.visitMethod(Opcodes.ACC_PUBLIC, "hashCode", "()I", null, null);
    code.visitCode();
    code.visitInsn(Opcodes.ICONST_1);
    for (String[] field : fields) {
      code.visitIntInsn(Opcodes.BIPUSH, 31);
      code.visitInsn(Opcodes.IMUL);
      code.visitVarInsn(Opcodes.ALOAD, 0);
      code.visitFieldInsn(Opcodes.GETFIELD, name, field[0], field[1]);
      code.visitMethodInsn(
          Opcodes.INVOKESTATIC, "java/util/Objects", "hashCode", "(Ljava/lang/Object;)I", false);
      code.visitInsn(Opcodes.IADD);
    }
    end(code, Opcodes.IRETURN);
  }

  private static void equals(ClassWriter type, String name, List<String[]> fields) {
    MethodVisitor code =
        type.visitMethod(Opcodes.ACC_PUBLIC, "equals", "(Ljava/lang/Object;)Z", null, null);
    code.visitCode();
    Label differs = new Label();
    code.visitVarInsn(Opcodes.ALOAD, 1);
    code.visitTypeInsn(Opcodes.INSTANCEOF, name);
    code.visitJumpInsn(Opcodes.IFEQ, differs);
    for (String[] field : fields) {
      code.visitVarInsn(Opcodes.ALOAD, 0);
      code.visitFieldInsn(Opcodes.GETFIELD, name, field[0], field[1]);
      code.visitVarInsn(Opcodes.ALOAD, 1);
      code.visitTypeInsn(Opcodes.CHECKCAST, name);
      code.visitFieldInsn(Opcodes.GETFIELD, name, field[0], field[1]);
      code.visitMethodInsn(
          Opcodes.INVOKESTATIC,
          "java/util/Objects",
          "equals",
          "(Ljava/lang/Object;Ljava/lang/Object;)Z",
          false);
      code.visitJumpInsn(Opcodes.IFEQ, differs);
    }
    code.visitInsn(Opcodes.ICONST_1);
    code.visitInsn(Opcodes.IRETURN);
    code.visitLabel(differs);
    code.visitInsn(Opcodes.ICONST_0);
    end(code, Opcodes.IRETURN);
  }

  private static void text(ClassWriter type, String name, List<String[]> fields, boolean harmful) {
    MethodVisitor code =
        type.visitMethod(Opcodes.ACC_PUBLIC, "toString", "()Ljava/lang/String;", null, null);
    code.visitCode();
    if (harmful) {
      code.visitLdcInsn(name);
      code.visitMethodInsn(
          Opcodes.INVOKESTATIC,
          "java/lang/Class",
          "forName",
          "(Ljava/lang/String;)Ljava/lang/Class;",
          false);
      code.visitInsn(Opcodes.POP);
    }
    code.visitTypeInsn(Opcodes.NEW, "java/lang/StringBuilder");
    code.visitInsn(Opcodes.DUP);
    code.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/StringBuilder", "<init>", "()V", false);
    for (String[] field : fields) {
      code.visitVarInsn(Opcodes.ALOAD, 0);
      code.visitFieldInsn(Opcodes.GETFIELD, name, field[0], field[1]);
      code.visitMethodInsn(
          Opcodes.INVOKEVIRTUAL,
          "java/lang/StringBuilder",
          "append",
          "(Ljava/lang/Object;)Ljava/lang/StringBuilder;",
          false);
    }
    code.visitMethodInsn(
        Opcodes.INVOKEVIRTUAL,
        "java/lang/StringBuilder",
        "toString",
        "()Ljava/lang/String;",
        false);
    end(code, Opcodes.ARETURN);
  }

  /** Reads the fields, and looks at one of them. */
  private static void reader(ClassWriter type, String name, List<String[]> fields) {
    MethodVisitor code = type.visitMethod(Opcodes.ACC_PRIVATE, "readObject", READER, null, null);
    code.visitCode();
    code.visitVarInsn(Opcodes.ALOAD, 1);
    code.visitMethodInsn(
        Opcodes.INVOKEVIRTUAL, "java/io/ObjectInputStream", "defaultReadObject", "()V", false);
    Label there = new Label();
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitFieldInsn(Opcodes.GETFIELD, name, fields.get(0)[0], fields.get(0)[1]);
    code.visitJumpInsn(Opcodes.IFNONNULL, there);
    code.visitTypeInsn(Opcodes.NEW, "java/io/InvalidObjectException");
    code.visitInsn(Opcodes.DUP);
    code.visitLdcInsn("no value");
    code.visitMethodInsn(
        Opcodes.INVOKESPECIAL,
        "java/io/InvalidObjectException",
        "<init>",
        "(Ljava/lang/String;)V",
        false);
    code.visitInsn(Opcodes.ATHROW);
    code.visitLabel(there);
    end(code, Opcodes.RETURN);
  }

  /** Calls other services, and values. */
  private byte[] service(String name, int jar, int first) {
    ClassWriter type = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    type.visit(Opcodes.V1_5, Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER, name, null, OBJECT, null);
    constructor(type, OBJECT);
    for (int i = 0; i < 6; i++) {
      MethodVisitor code =
          type.visitMethod(
              Opcodes.ACC_PUBLIC,
              "serve" + i,
              "(Ljava/lang/Object;)Ljava/lang/Object;",
              null,
              null);
      code.visitCode();
      String other = name(jar, first + 12 + random.nextInt(8));
      code.visitTypeInsn(Opcodes.NEW, other);
      code.visitInsn(Opcodes.DUP);
      code.visitMethodInsn(Opcodes.INVOKESPECIAL, other, "<init>", "()V", false);
      code.visitVarInsn(Opcodes.ALOAD, 1);
      code.visitMethodInsn(
          Opcodes.INVOKEVIRTUAL,
          other,
          "serve" + random.nextInt(6),
          "(Ljava/lang/Object;)Ljava/lang/Object;",
          false);
      code.visitTypeInsn(Opcodes.CHECKCAST, name(jar, first));
      code.visitMethodInsn(
          Opcodes.INVOKEINTERFACE, name(jar, first), "label", "()Ljava/lang/String;", true);
      end(code, Opcodes.ARETURN);
    }
    type.visitEnd();
    return type.toByteArray();
  }
}
