package io.rmigate.soap.type;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * What a class file says and reflection does not: in which order the members were declared, and the
 * names of parameters where only the debug information has them. Empty for classes without a file.
 * Confined to the thread that makes a contract.
 */
public final class ClassFacts {
  private final Map<String, Integer> order = new HashMap<>();
  private final Map<String, Map<Integer, String>> locals = new HashMap<>();

  private ClassFacts() {}

  /** Reads the class's file again; nothing of the class runs. */
  public static ClassFacts of(Class<?> type) {
    ClassFacts facts = new ClassFacts();
    String file = type.getName().replace('.', '/') + ".class";
    try (InputStream in =
        type.getClassLoader() == null ? null : type.getClassLoader().getResourceAsStream(file)) {
      if (in != null) {
        new ClassReader(in).accept(facts.new Visitor(), ClassReader.SKIP_FRAMES);
      }
    } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
      // Of a newer release than ASM knows: its members go unordered, and without debug names.
      facts.order.clear();
      facts.locals.clear();
    }
    return facts;
  }

  /** The place of a field among all members; fields that the class file does not list come last. */
  int ofField(String name) {
    return order.getOrDefault(name, Integer.MAX_VALUE);
  }

  /** The place of a method among all members. */
  public int ofMethod(Method method) {
    return order.getOrDefault(key(method), Integer.MAX_VALUE);
  }

  /** The names of all parameters, from the compiler's {@code -parameters} or {@code -g}. */
  public Optional<List<String>> parameterNames(Executable executable) {
    Parameter[] parameters = executable.getParameters();
    if (Stream.of(parameters).allMatch(Parameter::isNamePresent)) {
      return Optional.of(Stream.of(parameters).map(Parameter::getName).toList());
    }
    Map<Integer, String> slots = locals.getOrDefault(key(executable), Map.of());
    List<String> names = new ArrayList<>();
    int slot = Modifier.isStatic(executable.getModifiers()) ? 0 : 1;
    for (Parameter parameter : parameters) {
      String name = slots.get(slot);
      if (name == null) {
        return Optional.empty();
      }
      names.add(name);
      slot += Type.getType(parameter.getType()).getSize();
    }
    return Optional.of(names);
  }

  private static String key(Executable executable) {
    return executable instanceof Method method
        ? method.getName() + Type.getMethodDescriptor(method)
        : "<init>" + Type.getConstructorDescriptor((Constructor<?>) executable);
  }

  private final class Visitor extends ClassVisitor {
    Visitor() {
      super(Opcodes.ASM9);
    }

    @Override
    public FieldVisitor visitField(
        int access, String name, String descriptor, String signature, Object value) {
      order.put(name, order.size());
      return null;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      order.put(name + descriptor, order.size());
      Map<Integer, String> slots = new TreeMap<>();
      locals.put(name + descriptor, slots);
      return new MethodVisitor(Opcodes.ASM9) {
        @Override
        public void visitLocalVariable(
            String local, String type, String generic, Label start, Label end, int slot) {
          // Parameters are in scope from the start, before any other variable of their slot.
          slots.putIfAbsent(slot, local);
        }
      };
    }
  }
}
