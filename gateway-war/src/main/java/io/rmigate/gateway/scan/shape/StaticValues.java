package io.rmigate.gateway.scan.shape;

import io.rmigate.protocol.jrmp.StreamClass;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * What a class puts into its static fields {@code serialVersionUID} and {@code
 * serialPersistentFields}: constants, and arrays that are written out. The initializer is gone
 * through once, from top to bottom, without following branches; where two branches assign, as in
 * {@code javax.management} for the serial form of 1998 and that of today, the one that stands last
 * counts. A value that is computed otherwise is unknown.
 */
final class StaticValues {
  private static final String FIELD_TYPE = "java/io/ObjectStreamField";
  private static final int MAX_FIELDS = 1024;

  private static final Map<String, Character> PRIMITIVES =
      Map.of(
          "java/lang/Byte", 'B',
          "java/lang/Boolean", 'Z',
          "java/lang/Character", 'C',
          "java/lang/Short", 'S',
          "java/lang/Integer", 'I',
          "java/lang/Long", 'J',
          "java/lang/Float", 'F',
          "java/lang/Double", 'D');

  /** A {@code new ObjectStreamField} whose constructor is still to run, or has. */
  private static final class Declared {
    private StreamClass.Field field;
  }

  private static final Object UNKNOWN = new Object();

  private final String owner;
  private final Map<String, Object> values = new HashMap<>();
  private final Deque<Object> stack = new ArrayDeque<>();

  StaticValues(ClassNode type) {
    owner = type.name;
    for (FieldNode field : type.fields) {
      if ((field.access & Opcodes.ACC_STATIC) != 0 && field.value != null) {
        values.put(field.name, field.value);
      }
    }
    for (MethodNode method : type.methods) {
      if (method.name.equals("<clinit>")) {
        for (AbstractInsnNode instruction : method.instructions) {
          step(instruction);
        }
      }
    }
  }

  /** A long; empty if it is not known. */
  Optional<Long> number(String name) {
    return values.get(name) instanceof Long value ? Optional.of(value) : Optional.empty();
  }

  /** The fields in an array; empty if they are not known. */
  Optional<List<StreamClass.Field>> fields(String name) {
    if (!(values.get(name) instanceof Object[] array)) {
      return Optional.empty();
    }
    List<StreamClass.Field> fields = new ArrayList<>();
    for (Object element : array) {
      if (!(element instanceof Declared declared) || declared.field == null) {
        return Optional.empty();
      }
      fields.add(declared.field);
    }
    return Optional.of(fields);
  }

  private void step(AbstractInsnNode instruction) {
    int code = instruction.getOpcode();
    if (code < 0) {
      return; // a label, a frame or a line number
    }
    if (code >= Opcodes.ICONST_M1 && code <= Opcodes.ICONST_5) {
      stack.push(code - Opcodes.ICONST_0);
    } else if (instruction instanceof LdcInsnNode constant) {
      stack.push(constant.cst);
    } else if (instruction instanceof FieldInsnNode field) {
      field(code, field);
    } else if (instruction instanceof TypeInsnNode type) {
      type(code, type.desc);
    } else if (instruction instanceof IntInsnNode number && code != Opcodes.NEWARRAY) {
      stack.push(number.operand);
    } else if (instruction instanceof MethodInsnNode method
        && method.owner.equals(FIELD_TYPE)
        && method.name.equals("<init>")) {
      construct(Type.getArgumentCount(method.desc));
    } else if (code == Opcodes.DUP && !stack.isEmpty()) {
      stack.push(stack.peek());
    } else if (code == Opcodes.AASTORE) {
      store();
    } else if (code == Opcodes.ACONST_NULL) {
      stack.push(UNKNOWN);
    } else {
      stack.clear();
    }
  }

  private void field(int code, FieldInsnNode field) {
    if (code == Opcodes.GETSTATIC) {
      Character primitive = field.name.equals("TYPE") ? PRIMITIVES.get(field.owner) : null;
      if (primitive != null) {
        stack.push(Type.getType(String.valueOf(primitive)));
      } else {
        stack.push(field.owner.equals(owner) ? values.getOrDefault(field.name, UNKNOWN) : UNKNOWN);
      }
    } else if (code == Opcodes.PUTSTATIC && field.owner.equals(owner)) {
      values.put(field.name, pop());
    } else {
      stack.clear();
    }
  }

  private void type(int code, String type) {
    if (code == Opcodes.NEW) {
      stack.push(type.equals(FIELD_TYPE) ? new Declared() : UNKNOWN);
    } else if (code == Opcodes.ANEWARRAY && pop() instanceof Integer length) {
      boolean sane = type.equals(FIELD_TYPE) && length >= 0 && length <= MAX_FIELDS;
      stack.push(sane ? new Object[length] : UNKNOWN);
    } else {
      stack.clear();
    }
  }

  /** Name and type, and perhaps whether the field is unshared, which the stream does not show. */
  private void construct(int arguments) {
    for (int i = 2; i < arguments; i++) {
      pop();
    }
    Object type = pop();
    Object name = pop();
    if (pop() instanceof Declared declared
        && name instanceof String known
        && type instanceof Type its) {
      declared.field = new StreamClass.Field(known, its.getDescriptor());
    }
  }

  private void store() {
    Object element = pop();
    Object index = pop();
    if (pop() instanceof Object[] array && index instanceof Integer at && at < array.length) {
      array[at] = element;
    }
  }

  private Object pop() {
    return stack.isEmpty() ? UNKNOWN : stack.pop();
  }
}
