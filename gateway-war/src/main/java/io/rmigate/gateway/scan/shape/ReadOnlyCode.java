package io.rmigate.gateway.scan.shape;

import io.rmigate.gateway.scan.shape.Methods.Method;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Whether a method, with all that it calls, only looks at values: it compares, hashes, formats and
 * copies them, and reaches no reflection, file, socket, class loader, thread or code of a sender's
 * choice. Calls of methods in the jars are followed, to each class of the jars that may stand
 * there; of the JDK only {@link ReadOnlyCalls} are permitted. Calls of {@code hashCode}, {@code
 * equals}, {@code compareTo} and {@code toString} are permitted on any object, because each class
 * is judged by itself.
 *
 * <p>Of one class; confined to one thread.
 */
final class ReadOnlyCode {
  /** A class whose hash code takes more than that is not looked at any further. */
  private static final int MOST_METHODS = 300;

  private static final String LAMBDAS = "java/lang/invoke/LambdaMetafactory";

  private static final Set<String> QUIET_BOOTSTRAPS =
      Set.of(
          "java/lang/invoke/StringConcatFactory",
          "java/lang/runtime/ObjectMethods",
          "java/lang/runtime/SwitchBootstraps");

  /**
   * A method.
   *
   * @param atStart nothing of a sender is there when it runs
   */
  record Visit(Method method, boolean atStart) {}

  private final Methods methods;
  private final Map<Visit, Boolean> known;
  private final Set<Visit> seen = new HashSet<>();
  private boolean tooMany;

  /**
   * Checks the code of one class.
   *
   * @param known what others have found out; what is found out here is put there
   */
  ReadOnlyCode(Methods methods, Map<Visit, Boolean> known) {
    this.methods = methods;
    this.known = known;
  }

  /** Marks all checked methods as quiet; the check of a single method does not prove that. */
  void allIsQuiet() {
    seen.forEach(visit -> known.put(visit, true));
  }

  /** Whether a method that may get values of a sender only looks at them. */
  boolean isQuiet(Method method) throws IOException {
    return isQuiet(method, false);
  }

  /** Whether an initializer, or a constructor without arguments, only looks at values. */
  boolean isQuietAtStart(Method method) throws IOException {
    return isQuiet(method, true);
  }

  private boolean isQuiet(Method method, boolean atStart) throws IOException {
    Visit visit = new Visit(method, atStart);
    Boolean before = known.get(visit);
    if (before != null) {
      return before;
    }
    if (!seen.add(visit)) {
      return true;
    }
    if (seen.size() > MOST_METHODS) {
      tooMany = true;
      return false;
    }
    boolean quiet = (method.code().access & Opcodes.ACC_NATIVE) == 0;
    for (AbstractInsnNode instruction : method.code().instructions) {
      quiet = quiet && isQuiet(instruction, atStart);
    }
    if (!quiet && !tooMany) {
      known.put(visit, false);
    }
    return quiet;
  }

  private boolean isQuiet(AbstractInsnNode instruction, boolean atStart) throws IOException {
    if (instruction instanceof MethodInsnNode call) {
      return isQuietCall(call, atStart);
    }
    if (instruction instanceof InvokeDynamicInsnNode dynamic) {
      return isQuietDynamic(dynamic, atStart);
    }
    if (instruction instanceof LdcInsnNode constant) {
      return !(constant.cst instanceof ConstantDynamic);
    }
    return atStart || instruction.getOpcode() != Opcodes.PUTSTATIC;
  }

  private boolean isQuietDynamic(InvokeDynamicInsnNode dynamic, boolean atStart)
      throws IOException {
    if (QUIET_BOOTSTRAPS.contains(dynamic.bsm.getOwner())) {
      return true;
    }
    return atStart
        && dynamic.bsm.getOwner().equals(LAMBDAS)
        && dynamic.bsmArgs[1] instanceof Handle body
        && isQuietCall(call(body), true);
  }

  private static MethodInsnNode call(Handle handle) {
    int code =
        switch (handle.getTag()) {
          case Opcodes.H_INVOKESTATIC -> Opcodes.INVOKESTATIC;
          case Opcodes.H_INVOKEINTERFACE -> Opcodes.INVOKEINTERFACE;
          case Opcodes.H_INVOKEVIRTUAL -> Opcodes.INVOKEVIRTUAL;
          default -> Opcodes.INVOKESPECIAL;
        };
    return new MethodInsnNode(
        code, handle.getOwner(), handle.getName(), handle.getDesc(), handle.isInterface());
  }

  private boolean isQuietCall(MethodInsnNode call, boolean atStart) throws IOException {
    boolean byObject =
        call.getOpcode() == Opcodes.INVOKEVIRTUAL || call.getOpcode() == Opcodes.INVOKEINTERFACE;
    if (call.owner.startsWith("[")
        || (byObject && ReadOnlyCalls.isOfAnything(call.name, call.desc))) {
      return true;
    }
    if (methods.files().isOfPlatform(call.owner)) {
      boolean ofSuperclass =
          call.getOpcode() == Opcodes.INVOKESPECIAL && !call.name.equals("<init>");
      return isQuietOfPlatform(call.owner, call, ofSuperclass, atStart);
    }
    Set<Method> callees = methods.callees(call);
    for (Method callee : callees) {
      String owner = callee.owner().name;
      boolean quiet =
          methods.files().isOfPlatform(owner)
              ? isQuietOfPlatform(owner, call, true, atStart)
              : isQuiet(callee, atStart);
      if (!quiet) {
        return false;
      }
    }
    return !callees.isEmpty() || (atStart && ReadOnlyCalls.makesLogger(call.owner, call.name));
  }

  /**
   * Whether a method of the JDK only looks at values.
   *
   * @param inherited it is called on an object of a class of the jars that has inherited it
   */
  private boolean isQuietOfPlatform(
      String owner, MethodInsnNode call, boolean inherited, boolean atStart) throws IOException {
    if (ReadOnlyCalls.takesCode(call.desc) && !atStart) {
      return false;
    }
    return ReadOnlyCalls.has(owner, call.name)
        || (atStart && ReadOnlyCalls.hasAtStart(owner, call.name))
        || (inherited && ReadOnlyCalls.isInheritable(owner))
        || methods.files().isA(owner, "java/lang/Throwable");
  }
}
