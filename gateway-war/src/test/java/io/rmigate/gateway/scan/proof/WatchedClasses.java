package io.rmigate.gateway.scan.proof;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Loads the classes of a world, with calls of {@link Watch} in them. */
final class WatchedClasses extends ClassLoader {
  /** In place of {@code finalize}, for the collector not to call it at its own time. */
  static final String FINALIZE = "finalize_";

  /** Of each initializer. */
  private static final long STEPS = 20_000;

  private static final String WATCH = Type.getInternalName(Watch.class);

  private final Map<String, byte[]> files;

  /** Takes class files by internal name. */
  WatchedClasses(Map<String, byte[]> files) {
    super(WatchedClasses.class.getClassLoader());
    this.files = files;
  }

  /** All that can be initialized, by name. */
  Map<String, Class<?>> load() {
    Map<String, Class<?>> loaded = new TreeMap<>();
    for (String name : files.keySet()) {
      String dotted = name.replace('/', '.');
      Watch.startInitializers(STEPS);
      try {
        loaded.put(dotted, Class.forName(dotted, true, this));
      } catch (ClassNotFoundException | LinkageError | VirtualMachineError | Watch.Stop broken) {
        // Its objects cannot be in a message.
      }
      Watch.stop();
    }
    loaded.values().removeIf(type -> !loaded.values().containsAll(aboveOfWorld(type)));
    return loaded;
  }

  private static Set<Class<?>> aboveOfWorld(Class<?> type) {
    Set<Class<?>> all = new HashSet<>();
    Class<?> at = type.getSuperclass();
    for (; at != null && at.getClassLoader() == type.getClassLoader(); at = at.getSuperclass()) {
      all.add(at);
    }
    return all;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] file = files.get(name.replace('.', '/'));
    if (file == null) {
      throw new ClassNotFoundException(name);
    }
    byte[] watched = watched(file);
    return defineClass(name, watched, 0, watched.length);
  }

  private static byte[] watched(byte[] file) {
    ClassReader reader = new ClassReader(file);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(new Classes(writer, hasFinalizer(reader)), 0);
    return writer.toByteArray();
  }

  private static boolean hasFinalizer(ClassReader file) {
    boolean[] has = new boolean[1];
    file.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            has[0] |= name.equals("finalize");
            return null;
          }
        },
        ClassReader.SKIP_CODE);
    return has[0];
  }

  private static final class Classes extends ClassVisitor {
    private String className;

    private final boolean finalizes;

    Classes(ClassVisitor next, boolean finalizes) {
      super(Opcodes.ASM9, next);
      this.finalizes = finalizes;
    }

    @Override
    public void visit(
        int version, int access, String name, String signature, String parent, String[] above) {
      className = name;
      super.visit(version, access, name, signature, parent, above);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      boolean finalizer = name.equals("finalize") && descriptor.equals("()V");
      String named = finalizer ? FINALIZE : name;
      return new Methods(
          super.visitMethod(access, named, descriptor, signature, exceptions),
          className,
          name,
          finalizes);
    }
  }

  private static final class Methods extends MethodVisitor {
    private final String className;
    private final String name;
    private final boolean finalizes;
    private final Set<Label> passed = new HashSet<>();

    Methods(MethodVisitor next, String className, String name, boolean finalizes) {
      super(Opcodes.ASM9, next);
      this.className = className;
      this.name = name;
      this.finalizes = finalizes;
    }

    private void watch(String method, String descriptor) {
      super.visitMethodInsn(Opcodes.INVOKESTATIC, WATCH, method, descriptor, false);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      watch("step", "()V");
    }

    @Override
    public void visitLabel(Label label) {
      passed.add(label);
      super.visitLabel(label);
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
      if (passed.contains(label)) {
        watch("step", "()V");
      }
      super.visitJumpInsn(opcode, label);
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
      if (opcode == Opcodes.NEWARRAY) {
        measure();
      }
      super.visitIntInsn(opcode, operand);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      if (opcode == Opcodes.ANEWARRAY) {
        measure();
      }
      super.visitTypeInsn(opcode, type);
    }

    private void measure() {
      super.visitInsn(Opcodes.DUP);
      watch("array", "(I)V");
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.RETURN && name.equals("<init>") && finalizes) {
        super.visitVarInsn(Opcodes.ALOAD, 0);
        watch("made", "(Ljava/lang/Object;)V");
      }
      super.visitInsn(opcode);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String method, String descriptor, boolean ofInterface) {
      if (owner.equals("java/lang/System") && method.equals("setProperty")) {
        watch("fire", descriptor);
      } else if (takesCapacity(owner, method, descriptor)) {
        super.visitInsn(Opcodes.DUP);
        watch("capacity", "(I)V");
        super.visitMethodInsn(opcode, owner, method, descriptor, ofInterface);
      } else if (method.equals("nCopies")) {
        super.visitInsn(Opcodes.SWAP);
        super.visitInsn(Opcodes.DUP);
        watch("capacity", "(I)V");
        super.visitInsn(Opcodes.SWAP);
        super.visitMethodInsn(opcode, owner, method, descriptor, ofInterface);
      } else if (method.equals("finalize") && owner.startsWith(packageOf())) {
        super.visitMethodInsn(opcode, owner, FINALIZE, descriptor, ofInterface);
      } else {
        super.visitMethodInsn(opcode, owner, method, descriptor, ofInterface);
      }
    }

    private static boolean takesCapacity(String owner, String method, String descriptor) {
      return (owner.startsWith("java/util/") && descriptor.equals("(I)V"))
          || (owner.equals("java/lang/String") && method.equals("repeat"));
    }

    private String packageOf() {
      return className.substring(0, className.indexOf('/') + 1);
    }
  }
}
