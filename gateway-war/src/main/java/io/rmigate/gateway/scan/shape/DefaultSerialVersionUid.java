package io.rmigate.gateway.scan.shape;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InnerClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * The serialVersionUID of a class that declares none: a digest of its members (Java Object
 * Serialization specification, section 4.6).
 */
final class DefaultSerialVersionUid {
  private static final int CLASS_MODIFIERS =
      Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL | Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT;

  private static final int FIELD_MODIFIERS =
      Opcodes.ACC_PUBLIC
          | Opcodes.ACC_PRIVATE
          | Opcodes.ACC_PROTECTED
          | Opcodes.ACC_STATIC
          | Opcodes.ACC_FINAL
          | Opcodes.ACC_VOLATILE
          | Opcodes.ACC_TRANSIENT;

  private static final int METHOD_MODIFIERS =
      Opcodes.ACC_PUBLIC
          | Opcodes.ACC_PRIVATE
          | Opcodes.ACC_PROTECTED
          | Opcodes.ACC_STATIC
          | Opcodes.ACC_FINAL
          | Opcodes.ACC_SYNCHRONIZED
          | Opcodes.ACC_NATIVE
          | Opcodes.ACC_ABSTRACT
          | Opcodes.ACC_STRICT;

  private static final String INITIALIZER = "<clinit>";
  private static final String CONSTRUCTOR = "<init>";

  static long of(ClassNode type) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeUTF(type.name.replace('/', '.'));
      out.writeInt(modifiers(type));
      for (String name : type.interfaces.stream().map(n -> n.replace('/', '.')).sorted().toList()) {
        out.writeUTF(name);
      }
      fields(type, out);
      for (MethodNode method : methods(type, INITIALIZER)) {
        member(out, INITIALIZER, Opcodes.ACC_STATIC, method.desc);
      }
      for (MethodNode method : methods(type, CONSTRUCTOR)) {
        visible(out, method);
      }
      for (MethodNode method : methods(type, "")) {
        visible(out, method);
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible); // into memory
    }
    return firstEightLittleEndian(bytes.toByteArray());
  }

  /** Modifiers; for a member class those in its source, which its own header does not have. */
  private static int modifiers(ClassNode type) {
    int access = type.access;
    for (InnerClassNode inner : type.innerClasses) {
      if (inner.name.equals(type.name)) {
        access = inner.access;
      }
    }
    int modifiers = access & CLASS_MODIFIERS;
    if ((modifiers & Opcodes.ACC_INTERFACE) == 0) {
      return modifiers;
    }
    return methods(type, "").isEmpty()
        ? modifiers & ~Opcodes.ACC_ABSTRACT
        : modifiers | Opcodes.ACC_ABSTRACT;
  }

  private static void fields(ClassNode type, DataOutputStream out) throws IOException {
    List<FieldNode> sorted =
        type.fields.stream().sorted(Comparator.comparing(field -> field.name)).toList();
    for (FieldNode field : sorted) {
      int modifiers = field.access & FIELD_MODIFIERS;
      boolean hidden = (modifiers & Opcodes.ACC_PRIVATE) != 0;
      if (!hidden || (modifiers & (Opcodes.ACC_STATIC | Opcodes.ACC_TRANSIENT)) == 0) {
        member(out, field.name, modifiers, field.desc);
      }
    }
  }

  /** The methods with this special name; for an empty name all without a special one. Sorted. */
  private static List<MethodNode> methods(ClassNode type, String special) {
    return type.methods.stream()
        .filter(m -> special.isEmpty() ? !m.name.startsWith("<") : m.name.equals(special))
        .sorted(Comparator.comparing((MethodNode m) -> m.name).thenComparing(m -> m.desc))
        .toList();
  }

  private static void visible(DataOutputStream out, MethodNode method) throws IOException {
    if ((method.access & Opcodes.ACC_PRIVATE) == 0) {
      member(out, method.name, method.access & METHOD_MODIFIERS, method.desc.replace('/', '.'));
    }
  }

  private static void member(DataOutputStream out, String name, int modifiers, String signature)
      throws IOException {
    out.writeUTF(name);
    out.writeInt(modifiers);
    out.writeUTF(signature);
  }

  private static long firstEightLittleEndian(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA").digest(bytes);
      long first = 0;
      for (int i = Long.BYTES - 1; i >= 0; i--) {
        first = first << 8 | (digest[i] & 0xFF);
      }
      return first;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("a Java platform without SHA-1", e);
    }
  }

  private DefaultSerialVersionUid() {}
}
