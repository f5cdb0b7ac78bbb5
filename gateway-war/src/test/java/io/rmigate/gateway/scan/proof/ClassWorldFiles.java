package io.rmigate.gateway.scan.proof;

import io.rmigate.gateway.scan.proof.ClassWorld.Argument;
import io.rmigate.gateway.scan.proof.ClassWorld.Assign;
import io.rmigate.gateway.scan.proof.ClassWorld.Call;
import io.rmigate.gateway.scan.proof.ClassWorld.CallStatic;
import io.rmigate.gateway.scan.proof.ClassWorld.Cast;
import io.rmigate.gateway.scan.proof.ClassWorld.Condition;
import io.rmigate.gateway.scan.proof.ClassWorld.Element;
import io.rmigate.gateway.scan.proof.ClassWorld.Evaluate;
import io.rmigate.gateway.scan.proof.ClassWorld.Expression;
import io.rmigate.gateway.scan.proof.ClassWorld.Field;
import io.rmigate.gateway.scan.proof.ClassWorld.Fire;
import io.rmigate.gateway.scan.proof.ClassWorld.If;
import io.rmigate.gateway.scan.proof.ClassWorld.InstanceOf;
import io.rmigate.gateway.scan.proof.ClassWorld.IsNull;
import io.rmigate.gateway.scan.proof.ClassWorld.IsZero;
import io.rmigate.gateway.scan.proof.ClassWorld.Local;
import io.rmigate.gateway.scan.proof.ClassWorld.Method;
import io.rmigate.gateway.scan.proof.ClassWorld.New;
import io.rmigate.gateway.scan.proof.ClassWorld.NewArray;
import io.rmigate.gateway.scan.proof.ClassWorld.NextObject;
import io.rmigate.gateway.scan.proof.ClassWorld.Null;
import io.rmigate.gateway.scan.proof.ClassWorld.Read;
import io.rmigate.gateway.scan.proof.ClassWorld.ReadStatic;
import io.rmigate.gateway.scan.proof.ClassWorld.Return;
import io.rmigate.gateway.scan.proof.ClassWorld.Sink;
import io.rmigate.gateway.scan.proof.ClassWorld.Statement;
import io.rmigate.gateway.scan.proof.ClassWorld.This;
import io.rmigate.gateway.scan.proof.ClassWorld.Try;
import io.rmigate.gateway.scan.proof.ClassWorld.WorldType;
import io.rmigate.gateway.scan.proof.ClassWorld.Write;
import io.rmigate.gateway.scan.proof.ClassWorld.WriteElement;
import io.rmigate.gateway.scan.proof.ClassWorld.WriteStatic;
import java.util.LinkedHashMap;
import java.util.Map;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Makes class files of a {@link ClassWorld}, which a JVM loads. */
final class ClassWorldFiles {
  /** The system property that {@link Sink#PROPERTY} sets. */
  static final String PROPERTY = "rmigate.test.fired";

  private static final int LOCALS = 2;

  private ClassWorldFiles() {}

  /** By internal name. */
  static Map<String, byte[]> of(ClassWorld world) {
    Map<String, byte[]> files = new LinkedHashMap<>();
    world.types().forEach(type -> files.put(type.name(), file(world, type)));
    return files;
  }

  private static byte[] file(ClassWorld world, WorldType type) {
    // The verifier of old class files needs no frames; of interfaces only new ones have code.
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    int access = Opcodes.ACC_PUBLIC;
    access |= type.isInterface() ? Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT : Opcodes.ACC_SUPER;
    writer.visit(
        type.isInterface() ? Opcodes.V1_8 : Opcodes.V1_5,
        access,
        type.name(),
        null,
        type.superName(),
        type.interfaces().toArray(String[]::new));
    for (Field field : type.fields()) {
      int flags = Opcodes.ACC_PUBLIC | (field.isStatic() ? Opcodes.ACC_STATIC : 0);
      writer.visitField(flags, field.name(), descriptor(field.type()), null, null).visitEnd();
    }
    if (type.fields().stream().anyMatch(field -> !field.initial().isEmpty())) {
      MethodVisitor code = writer.visitMethod(Opcodes.ACC_STATIC, "<clinit>", "()V", null, null);
      code.visitCode();
      for (Field field : type.fields()) {
        if (!field.initial().isEmpty()) {
          make(code, field.initial());
          code.visitFieldInsn(
              Opcodes.PUTSTATIC, field.owner(), field.name(), descriptor(field.type()));
        }
      }
      code.visitInsn(Opcodes.RETURN);
      code.visitMaxs(0, 0);
      code.visitEnd();
    }
    for (Method method : type.methods()) {
      new Body(world, method).write(writer);
    }
    writer.visitEnd();
    return writer.toByteArray();
  }

  private static String descriptor(String type) {
    return type.length() == 1 || type.startsWith("[") ? type : "L" + type + ";";
  }

  private static void make(MethodVisitor code, String type) {
    code.visitTypeInsn(Opcodes.NEW, type);
    code.visitInsn(Opcodes.DUP);
    code.visitMethodInsn(Opcodes.INVOKESPECIAL, type, "<init>", "()V", false);
  }

  /** Writes one method. */
  private static final class Body {
    private final ClassWorld world;
    private final Method method;
    private final int firstLocal;
    private MethodVisitor code;

    Body(ClassWorld world, Method method) {
      this.world = world;
      this.method = method;
      this.firstLocal =
          org.objectweb.asm.Type.getArgumentsAndReturnSizes(method.descriptor()) / 4
              - (method.isStatic() ? 1 : 0);
    }

    void write(ClassWriter writer) {
      boolean reader = method.name().equals("readObject");
      int access = reader ? Opcodes.ACC_PRIVATE : Opcodes.ACC_PUBLIC;
      access |= method.isStatic() ? Opcodes.ACC_STATIC : 0;
      access |= method.isAbstract() ? Opcodes.ACC_ABSTRACT : 0;
      String[] thrown = reader ? new String[] {"java/io/IOException"} : null;
      code = writer.visitMethod(access, method.name(), method.descriptor(), null, thrown);
      if (!method.isAbstract()) {
        code.visitCode();
        if (method.name().equals("<init>")) {
          code.visitVarInsn(Opcodes.ALOAD, 0);
          code.visitMethodInsn(
              Opcodes.INVOKESPECIAL,
              world.type(method.owner()).superName(),
              "<init>",
              "()V",
              false);
        }
        for (int i = 0; i < LOCALS; i++) {
          code.visitInsn(Opcodes.ACONST_NULL);
          code.visitVarInsn(Opcodes.ASTORE, firstLocal + i);
        }
        if (reader) {
          code.visitVarInsn(Opcodes.ALOAD, 1);
          call(Opcodes.INVOKEVIRTUAL, "java/io/ObjectInputStream", "defaultReadObject", "()V");
        }
        method.body().forEach(this::write);
        end(null);
        code.visitMaxs(0, 0);
      }
      code.visitEnd();
    }

    private void end(Expression value) {
      switch (org.objectweb.asm.Type.getReturnType(method.descriptor()).getSort()) {
        case org.objectweb.asm.Type.VOID -> code.visitInsn(Opcodes.RETURN);
        case org.objectweb.asm.Type.OBJECT -> {
          if (method.descriptor().endsWith("Ljava/lang/String;")) {
            code.visitLdcInsn("text");
          } else {
            write(value == null ? new Null() : value);
          }
          code.visitInsn(Opcodes.ARETURN);
        }
        default -> {
          code.visitInsn(Opcodes.ICONST_0);
          code.visitInsn(Opcodes.IRETURN);
        }
      }
    }

    private void call(int opcode, String owner, String name, String descriptor) {
      code.visitMethodInsn(opcode, owner, name, descriptor, opcode == Opcodes.INVOKEINTERFACE);
    }

    private void write(Statement statement) {
      if (statement instanceof Fire fire) {
        write(fire.sink());
      } else if (statement instanceof Write write) {
        write(write.target());
        cast(write.target(), write.field().owner());
        if (write.field().type().equals(ClassWorld.INT)) {
          code.visitInsn(Opcodes.ICONST_1);
        } else {
          write(write.value());
          cast(write.value(), write.field().type());
        }
        code.visitFieldInsn(
            Opcodes.PUTFIELD,
            write.field().owner(),
            write.field().name(),
            descriptor(write.field().type()));
      } else if (statement instanceof WriteStatic write) {
        write(write.value());
        cast(write.value(), write.field().type());
        code.visitFieldInsn(
            Opcodes.PUTSTATIC,
            write.field().owner(),
            write.field().name(),
            descriptor(write.field().type()));
      } else if (statement instanceof WriteElement write) {
        write(write.array());
        code.visitTypeInsn(Opcodes.CHECKCAST, ClassWorld.ARRAY);
        code.visitInsn(Opcodes.ICONST_0);
        write(write.value());
        code.visitInsn(Opcodes.AASTORE);
      } else if (statement instanceof Assign assign) {
        write(assign.value());
        code.visitVarInsn(Opcodes.ASTORE, firstLocal + assign.local());
      } else if (statement instanceof Evaluate evaluate) {
        write(evaluate.value());
        if (!isOfVoid(evaluate.value())) {
          code.visitInsn(Opcodes.POP);
        }
      } else if (statement instanceof If branch) {
        Label otherwise = new Label();
        Label end = new Label();
        write(branch.condition(), otherwise);
        branch.then().forEach(this::write);
        code.visitJumpInsn(Opcodes.GOTO, end);
        code.visitLabel(otherwise);
        branch.otherwise().forEach(this::write);
        code.visitLabel(end);
        code.visitInsn(Opcodes.NOP); // a label at the end of a method leads nowhere
      } else if (statement instanceof Try guarded) {
        write(guarded);
      } else if (statement instanceof Return end) {
        // Unreachable code is what old verifiers accept and flow analyses do not see.
        code.visitInsn(Opcodes.ICONST_0);
        Label after = new Label();
        code.visitJumpInsn(Opcodes.IFNE, after);
        end(end.value());
        code.visitLabel(after);
      }
    }

    private void write(Try guarded) {
      Label start = new Label();
      Label end = new Label();
      Label handler = new Label();
      Label after = new Label();
      code.visitTryCatchBlock(start, end, handler, "java/lang/RuntimeException");
      code.visitLabel(start);
      code.visitInsn(Opcodes.NOP);
      guarded.body().forEach(this::write);
      code.visitLabel(end);
      code.visitJumpInsn(Opcodes.GOTO, after);
      code.visitLabel(handler);
      code.visitInsn(Opcodes.POP);
      code.visitLabel(after);
      code.visitInsn(Opcodes.NOP);
    }

    private static boolean isOfVoid(Expression value) {
      return (value instanceof Call call && call.descriptor().endsWith(")V"))
          || (value instanceof CallStatic other && other.descriptor().endsWith(")V"));
    }

    /** Jumps if the condition does not hold. */
    private void write(Condition condition, Label otherwise) {
      if (condition instanceof InstanceOf of) {
        write(of.value());
        code.visitTypeInsn(Opcodes.INSTANCEOF, of.type());
        code.visitJumpInsn(Opcodes.IFEQ, otherwise);
      } else if (condition instanceof IsNull of) {
        write(of.value());
        code.visitJumpInsn(Opcodes.IFNONNULL, otherwise);
      } else if (condition instanceof IsZero of) {
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitFieldInsn(Opcodes.GETFIELD, of.field().owner(), of.field().name(), "I");
        code.visitJumpInsn(Opcodes.IFNE, otherwise);
      }
    }

    private void cast(Expression value, String type) {
      boolean known =
          (value instanceof This && world.isA(method.owner(), type))
              || (value instanceof New made && made.type().equals(type))
              || type.equals(ClassWorld.OBJECT);
      if (!known) {
        code.visitTypeInsn(Opcodes.CHECKCAST, type);
      }
    }

    private void write(Expression value) {
      if (value instanceof This) {
        code.visitVarInsn(Opcodes.ALOAD, 0);
      } else if (value instanceof Argument argument) {
        code.visitVarInsn(Opcodes.ALOAD, argument.index() + (method.isStatic() ? 0 : 1));
      } else if (value instanceof Local local) {
        code.visitVarInsn(Opcodes.ALOAD, firstLocal + local.index());
      } else if (value instanceof Null) {
        code.visitInsn(Opcodes.ACONST_NULL);
      } else if (value instanceof Read read) {
        write(read.target());
        cast(read.target(), read.field().owner());
        code.visitFieldInsn(
            Opcodes.GETFIELD,
            read.field().owner(),
            read.field().name(),
            descriptor(read.field().type()));
      } else if (value instanceof ReadStatic read) {
        code.visitFieldInsn(
            Opcodes.GETSTATIC,
            read.field().owner(),
            read.field().name(),
            descriptor(read.field().type()));
      } else if (value instanceof Element element) {
        write(element.array());
        code.visitTypeInsn(Opcodes.CHECKCAST, ClassWorld.ARRAY);
        code.visitInsn(Opcodes.ICONST_0);
        code.visitInsn(Opcodes.AALOAD);
      } else if (value instanceof Cast cast) {
        write(cast.value());
        code.visitTypeInsn(Opcodes.CHECKCAST, cast.type());
      } else if (value instanceof New made) {
        make(code, made.type());
      } else if (value instanceof NewArray made) {
        code.visitInsn(Opcodes.ICONST_1);
        code.visitTypeInsn(Opcodes.ANEWARRAY, ClassWorld.OBJECT);
        code.visitInsn(Opcodes.DUP);
        code.visitInsn(Opcodes.ICONST_0);
        write(made.element());
        code.visitInsn(Opcodes.AASTORE);
      } else if (value instanceof NextObject) {
        code.visitVarInsn(Opcodes.ALOAD, 1);
        call(
            Opcodes.INVOKEVIRTUAL,
            "java/io/ObjectInputStream",
            "readObject",
            "()Ljava/lang/Object;");
      } else if (value instanceof Call call) {
        write(call.target());
        cast(call.target(), call.owner());
        call.arguments().forEach(this::write);
        int opcode = call.ofInterface() ? Opcodes.INVOKEINTERFACE : Opcodes.INVOKEVIRTUAL;
        call(opcode, call.owner(), call.name(), call.descriptor());
      } else if (value instanceof CallStatic call) {
        call.arguments().forEach(this::write);
        call(Opcodes.INVOKESTATIC, call.owner(), call.name(), call.descriptor());
      }
    }

    private void write(Sink sink) {
      switch (sink) {
        case PROPERTY -> {
          code.visitLdcInsn(PROPERTY);
          code.visitLdcInsn("true");
          call(
              Opcodes.INVOKESTATIC,
              "java/lang/System",
              "setProperty",
              "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;");
          code.visitInsn(Opcodes.POP);
        }
        case CLASS -> {
          code.visitLdcInsn("name");
          call(
              Opcodes.INVOKESTATIC,
              "java/lang/Class",
              "forName",
              "(Ljava/lang/String;)Ljava/lang/Class;");
          code.visitInsn(Opcodes.POP);
        }
        case PROCESS -> {
          call(Opcodes.INVOKESTATIC, "java/lang/Runtime", "getRuntime", "()Ljava/lang/Runtime;");
          code.visitLdcInsn("nothing");
          call(
              Opcodes.INVOKEVIRTUAL,
              "java/lang/Runtime",
              "exec",
              "(Ljava/lang/String;)Ljava/lang/Process;");
          code.visitInsn(Opcodes.POP);
        }
        case THREAD -> {
          make(code, "java/lang/Thread");
          call(Opcodes.INVOKEVIRTUAL, "java/lang/Thread", "start", "()V");
        }
        case FILE -> {
          code.visitTypeInsn(Opcodes.NEW, "java/io/FileInputStream");
          code.visitInsn(Opcodes.DUP);
          code.visitLdcInsn("nothing");
          call(Opcodes.INVOKESPECIAL, "java/io/FileInputStream", "<init>", "(Ljava/lang/String;)V");
          code.visitInsn(Opcodes.POP);
        }
        case NAMING -> {
          make(code, "javax/naming/InitialContext");
          code.visitInsn(Opcodes.POP);
        }
        case METHOD -> {
          code.visitInsn(Opcodes.ACONST_NULL);
          code.visitTypeInsn(Opcodes.CHECKCAST, "java/lang/reflect/Method");
          code.visitInsn(Opcodes.ACONST_NULL);
          code.visitInsn(Opcodes.ACONST_NULL);
          call(
              Opcodes.INVOKEVIRTUAL,
              "java/lang/reflect/Method",
              "invoke",
              "(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;");
          code.visitInsn(Opcodes.POP);
        }
        case NATIVE_LIBRARY -> {
          code.visitLdcInsn("nothing");
          call(Opcodes.INVOKESTATIC, "java/lang/System", "loadLibrary", "(Ljava/lang/String;)V");
        }
        case STREAM -> {
          code.visitTypeInsn(Opcodes.NEW, "java/io/ObjectInputStream");
          code.visitInsn(Opcodes.DUP);
          code.visitInsn(Opcodes.ACONST_NULL);
          call(
              Opcodes.INVOKESPECIAL,
              "java/io/ObjectInputStream",
              "<init>",
              "(Ljava/io/InputStream;)V");
          call(
              Opcodes.INVOKEVIRTUAL,
              "java/io/ObjectInputStream",
              "readObject",
              "()Ljava/lang/Object;");
          code.visitInsn(Opcodes.POP);
        }
        case ARRAY_SIZE -> {
          code.visitVarInsn(Opcodes.ALOAD, 0);
          code.visitFieldInsn(Opcodes.GETFIELD, method.owner(), "number", "I");
          code.visitIntInsn(Opcodes.NEWARRAY, Opcodes.T_LONG);
          code.visitInsn(Opcodes.POP);
        }
      }
    }
  }
}
