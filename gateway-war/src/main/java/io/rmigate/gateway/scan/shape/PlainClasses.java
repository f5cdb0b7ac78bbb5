package io.rmigate.gateway.scan.shape;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * The serializable classes of jars whose objects are nothing but their fields: reading one runs no
 * code of the jars that does more than look at these.
 *
 * <p>Such a class has no deserialization method, and no ancestor in the jars has one: {@code
 * readObject}, {@code readObjectNoData}, {@code readResolve}, {@code readExternal}. What the JDK
 * may call on its objects meanwhile passes the {@link ReadOnlyCode} test: each method that a class
 * or an interface of the JDK declares ({@code hashCode}, {@code compare}, {@code get}, {@code
 * invoke}, {@code finalize} …), the constructors of a record, the constructor of a superclass that
 * is not serializable, and the initializers of the class and its ancestors. All ancestors must be
 * there.
 *
 * <p>Confined to one thread.
 */
public final class PlainClasses {
  private static final Set<String> READERS =
      Set.of("readObject", "readObjectNoData", "readResolve", "readExternal");

  private static final String NO_ARGUMENTS = "()V";

  /** From writeReplace to what makes the object that is written. */
  private static final int STEPS_TO_A_STAND_IN = 2;

  private final ClassFiles files;
  private final Methods methods;
  private final Map<String, List<ClassReader>> jars;
  private final Map<String, Boolean> known = new HashMap<>();
  private final Map<ReadOnlyCode.Visit, Boolean> quiet = new HashMap<>();

  /** By the names of types: the serializable classes of the jars that are of it. */
  private final Map<String, List<String>> byType = new HashMap<>();

  private PlainClasses(JarClassFiles jars) throws IOException {
    this.jars = jars.byName();
    this.files = new ClassFiles(this.jars, name -> JarShapes.ofThisJdk(name).map(ClassReader::new));
    this.methods = new Methods(files);
    for (String name : this.jars.keySet()) {
      if (files.isSerializable(name) && !files.isInterface(name)) {
        for (String type : files.ancestors(name)) {
          byType.computeIfAbsent(type, first -> new ArrayList<>(1)).add(name);
        }
      }
    }
  }

  /**
   * The plain classes of jars.
   *
   * @throws IOException a class of the running JDK cannot be read
   */
  public static PlainClasses of(JarClassFiles jars) throws IOException {
    return new PlainClasses(jars);
  }

  /**
   * The plain classes that are of a type: the type itself and what extends or implements it.
   *
   * @param type internal name of a class or an interface, of the jars or of the JDK
   */
  public Set<String> of(String type) throws IOException {
    Set<String> plain = new LinkedHashSet<>();
    for (String name : byType.getOrDefault(type, List.of())) {
      if (has(name)) {
        plain.add(name);
      }
    }
    return plain;
  }

  private boolean has(String name) throws IOException {
    Boolean is = known.get(name);
    if (is == null) {
      is = isPlain(name);
      known.put(name, is);
    }
    return is;
  }

  private boolean isPlain(String name) throws IOException {
    try {
      if (files.isExternalizable(name)) {
        return false;
      }
      ReadOnlyCode code = new ReadOnlyCode(methods, quiet);
      List<String> platform = new ArrayList<>(List.of("java/lang/Object"));
      List<ClassNode> own = new ArrayList<>();
      for (String ancestor : files.ancestors(name)) {
        if (files.isOfPlatform(ancestor)) {
          platform.add(ancestor);
        } else if (!jars.containsKey(ancestor)) {
          return false;
        } else {
          own.addAll(methods.classNodes(ancestor));
        }
      }
      if (files.isA(name, "java/lang/Enum")) { // a constant may have a class of its own
        for (String constant : files.subclasses(name)) {
          own.addAll(methods.classNodes(constant));
        }
      }
      for (ClassNode type : own) {
        for (MethodNode method : type.methods) {
          if (READERS.contains(method.name) || !isQuiet(code, type, method, platform)) {
            return false;
          }
        }
      }
      code.allIsQuiet();
      return true;
    } catch (RuntimeException | StackOverflowError damaged) {
      return false;
    }
  }

  private boolean isQuiet(
      ReadOnlyCode code, ClassNode type, MethodNode method, List<String> platform)
      throws IOException {
    Methods.Method its = new Methods.Method(type, method);
    if (method.name.equals("<clinit>")) {
      return code.isQuietAtStart(its);
    }
    if (method.name.equals("<init>")) {
      if ("java/lang/Record".equals(type.superName)) {
        return code.isQuiet(its);
      }
      boolean runs = method.desc.equals(NO_ARGUMENTS) && !files.isSerializable(type.name);
      return !runs || code.isQuietAtStart(its);
    }
    if ((method.access & (Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE)) != 0) {
      return true;
    }
    for (String declaring : platform) {
      if (!methods.find(declaring, method.name, method.desc).isEmpty()) {
        return code.isQuiet(its);
      }
    }
    return true;
  }

  /**
   * What is written in the place of a class's objects, as far as its {@code writeReplace} shows:
   * classes of the jars with a {@code readResolve} that it makes, or a method that it calls.
   *
   * @param name internal name of a class of the jars
   */
  public Set<String> standIns(String name) throws IOException {
    Set<String> made = new LinkedHashSet<>();
    try {
      for (Methods.Method writer : methods.find(name, "writeReplace", "()Ljava/lang/Object;")) {
        collectMade(writer, STEPS_TO_A_STAND_IN, new HashSet<>(), made);
      }
      for (String type : List.copyOf(made)) {
        boolean resolves =
            files.isSerializable(type)
                && !methods.find(type, "readResolve", "()Ljava/lang/Object;").isEmpty();
        if (!resolves) {
          made.remove(type);
        }
      }
    } catch (RuntimeException damaged) {
      return Set.of();
    }
    return made;
  }

  private void collectMade(
      Methods.Method method, int steps, Set<Methods.Method> seen, Set<String> made)
      throws IOException {
    if (!seen.add(method)) {
      return;
    }
    for (AbstractInsnNode instruction : method.code().instructions) {
      if (instruction.getOpcode() == Opcodes.NEW) {
        String type = ((TypeInsnNode) instruction).desc;
        if (jars.containsKey(type)) {
          made.add(type);
        }
      } else if (steps > 0
          && instruction instanceof MethodInsnNode call
          && jars.containsKey(call.owner)
          && !call.name.equals("<init>")) {
        for (Methods.Method callee : methods.find(call.owner, call.name, call.desc)) {
          collectMade(callee, steps - 1, seen, made);
        }
      }
    }
  }
}
