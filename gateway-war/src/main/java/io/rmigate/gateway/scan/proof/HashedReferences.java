package io.rmigate.gateway.scan.proof;

import io.rmigate.gateway.scan.proof.HarmlessCode.Moment;
import io.rmigate.gateway.scan.shape.ClassFiles;
import io.rmigate.gateway.scan.shape.Methods;
import io.rmigate.gateway.scan.shape.Methods.Method;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Which classes of jars have references that are followed when their objects, or objects that hold
 * these, are hashed or compared. A class has such references if its own {@code hashCode}, {@code
 * equals} or {@code compareTo} asks other objects, if another object takes its place when it is
 * read, or if such a method of another class, a comparator or a reader follows its references.
 * Confined to one thread.
 */
final class HashedReferences {
  /** By which an object is hashed or compared. */
  private static final Set<String> ASKED =
      Set.of(
          "hashCode()I",
          "equals(Ljava/lang/Object;)Z",
          "compareTo(Ljava/lang/Object;)I",
          "compare(Ljava/lang/Object;Ljava/lang/Object;)I");

  private static final String RESOLVE = "readResolve()Ljava/lang/Object;";

  private final Collection<String> names;
  private final ClassFiles files;
  private final Methods methods;
  private final HarmlessCode code;

  /** Classes, and interfaces, whose objects' references another class follows. */
  private final Set<String> followed = new HashSet<>();

  /** By calls: the methods that they may run. */
  private final Map<String, List<Method>> known = new HashMap<>();

  /**
   * Analyses classes of jars.
   *
   * @param names internal, of all classes of the jars
   */
  HashedReferences(Collection<String> names, Methods methods, HarmlessCode code) {
    this.names = names;
    this.files = methods.files();
    this.methods = methods;
    this.code = code;
  }

  /** The serializable classes that have none, by names as in {@link Class#getName}. */
  Set<String> classesWithout() throws IOException {
    follow();
    Set<String> without = new HashSet<>();
    for (String name : names) {
      if (!files.isInterface(name) && files.isSerializable(name) && !mayHave(name)) {
        without.add(name.replace('/', '.'));
      }
    }
    return without;
  }

  private boolean mayHave(String name) {
    try {
      for (String ancestor : files.ancestors(name)) {
        boolean asks = names.contains(ancestor) ? asksItself(ancestor) : asksByJdk(ancestor);
        if (asks || followed.contains(ancestor)) {
          return true;
        }
      }
      return false;
    } catch (IOException | RuntimeException | StackOverflowError damaged) {
      return true;
    }
  }

  private boolean asksItself(String type) throws IOException {
    if (code.isUnreadable(type)) {
      return true;
    }
    for (ClassNode version : methods.classNodes(type)) {
      for (MethodNode method : version.methods) {
        String signature = method.name + method.desc;
        if (signature.equals(RESOLVE)
            || (ASKED.contains(signature) && !isHarmless(new Method(version, method)))) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean isHarmless(Method method) throws IOException {
    return (method.code().access & Opcodes.ACC_ABSTRACT) != 0
        || code.judge(method, Moment.OTHER).isHarmless();
  }

  /** A proxy passes on what it is asked to its handler; dates of calendars compare by a default. */
  private boolean asksByJdk(String type) throws IOException {
    if (files.isInterface(type)) {
      return type.equals("java/lang/reflect/InvocationHandler")
          || type.startsWith("java/time/chrono/");
    }
    boolean isPlain = HarmlessCalls.isSuperclass(type) && !HarmlessCalls.isCollection(type);
    return !isPlain && !files.isA(type, "java/lang/Throwable");
  }

  /** Looks at all code that may run when an object is read, hashed or compared. */
  private void follow() throws IOException {
    Set<Method> seen = new LinkedHashSet<>();
    Deque<Method> open = new ArrayDeque<>();
    for (String name : names) {
      for (ClassNode version : methods.classNodes(name)) {
        for (MethodNode method : version.methods) {
          String signature = method.name + method.desc;
          Method one = new Method(version, method);
          boolean runs =
              HarmlessClasses.READERS.contains(signature)
                  || (ASKED.contains(signature) && !isHarmless(one));
          if (runs && seen.add(one)) {
            open.add(one);
          }
        }
      }
    }
    while (!open.isEmpty()) {
      Method method = open.remove();
      for (AbstractInsnNode instruction : method.code().instructions) {
        if (instruction instanceof FieldInsnNode field) {
          follow(method, field);
        } else if (instruction instanceof MethodInsnNode call && names.contains(call.owner)) {
          for (Method callee : follow(method, call)) {
            if (seen.add(callee)) {
              open.add(callee);
            }
          }
        }
      }
    }
  }

  private void follow(Method method, FieldInsnNode field) throws IOException {
    if (field.getOpcode() == Opcodes.GETFIELD
        && !isOwn(method, field.owner)
        && !holdsNoOthers(Type.getType(field.desc))) {
      followed.add(field.owner);
    }
  }

  /** The methods of the jars that a call may run. */
  private List<Method> follow(Method method, MethodInsnNode call) throws IOException {
    String key = call.getOpcode() + call.owner + "." + call.name + call.desc;
    List<Method> callees = known.get(key);
    if (callees == null) {
      callees = callees(call);
      known.put(key, callees);
    }
    boolean ofObject = call.getOpcode() != Opcodes.INVOKESTATIC && !call.name.equals("<init>");
    if (ofObject && !followed.contains(call.owner) && !isOwn(method, call.owner)) {
      boolean gives = !holdsNoOthers(Type.getReturnType(call.desc));
      for (int i = 0; i < callees.size() && !gives; i++) {
        gives = !isHarmless(callees.get(i));
      }
      if (gives) {
        followed.add(call.owner);
      }
    }
    return callees;
  }

  private List<Method> callees(MethodInsnNode call) throws IOException {
    Set<String> types = new LinkedHashSet<>(files.ancestors(call.owner));
    if (call.getOpcode() != Opcodes.INVOKESPECIAL && call.getOpcode() != Opcodes.INVOKESTATIC) {
      types.addAll(files.subclasses(call.owner));
    }
    types.retainAll(names);
    List<Method> callees = new ArrayList<>();
    for (String type : types) {
      for (ClassNode version : methods.classNodes(type)) {
        for (MethodNode one : version.methods) {
          if (one.name.equals(call.name) && one.desc.equals(call.desc)) {
            callees.add(new Method(version, one));
          }
        }
      }
    }
    return callees;
  }

  private boolean isOwn(Method method, String owner) throws IOException {
    return files.ancestors(method.owner().name).contains(owner);
  }

  private boolean holdsNoOthers(Type type) {
    return type.getSort() == Type.VOID || new Origins(code::isLeaf).newValue(type).holdsNoOthers();
  }
}
