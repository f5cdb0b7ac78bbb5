package io.rmigate.gateway.scan.shape;

import static io.rmigate.gateway.scan.shape.StreamFlow.BEFORE;
import static io.rmigate.gateway.scan.shape.StreamFlow.MISSED;

import io.rmigate.gateway.scan.shape.Methods.Method;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * Where a {@link ClassNotFoundException} may come from. A method may throw one if it says so, or if
 * it cannot be seen; one of an application also if what it calls may, for Kotlin and others say
 * nothing. Of a method without code what it says is all there is. Confined to one thread.
 */
final class MissingClasses {
  private static final String CLASS_NOT_FOUND = "java/lang/ClassNotFoundException";

  /** {@link ClassNotFoundException} and its supertypes: a throwable of these types may be one. */
  private static final Set<String> ABOVE =
      Set.of(
          CLASS_NOT_FOUND,
          "java/lang/ReflectiveOperationException",
          "java/lang/Exception",
          "java/lang/Throwable",
          "java/lang/Object",
          "java/io/Serializable");

  /** Methods of the JDK that throw undeclared exceptions. */
  private static final Set<String> SAY_NOTHING =
      Set.of("java/lang/Class.newInstance", "sun/misc/Unsafe.throwException");

  /** Maximum depth of calls that are followed; code that is called more deeply is not looked at. */
  private static final int MOST_DEPTH = 32;

  private final Methods methods;

  /** By method. One that is being looked at may, so that one which calls itself does. */
  private final Map<Method, Boolean> known = new HashMap<>();

  private int depth;

  MissingClasses(Methods methods) {
    this.methods = methods;
  }

  /** Whether a handler catches each {@link ClassNotFoundException}. */
  static boolean catches(TryCatchBlockNode block) {
    return block.type == null || ABOVE.contains(block.type);
  }

  /**
   * Whether a method is left with one there.
   *
   * @param matters in which states one that begins there counts
   */
  boolean mayLeaveAt(StreamFlow flow, int index, int state, int matters) throws IOException {
    boolean one =
        ((state & MISSED) != 0 && flow.throwsCaught(index))
            || ((state & matters) != 0 && mayBeginAt(flow, index));
    return one && !flow.catchesMissing(index);
  }

  /** Whether an instruction throws one that is not what was caught, be it caught there or not. */
  boolean mayBeginAt(StreamFlow flow, int index) throws IOException {
    Optional<String> thrown = flow.thrownType(index);
    if (thrown.isPresent()) {
      return mayBeOne(thrown.get());
    }
    // What reads the fields fails so when it has read them.
    return flow.at(index) instanceof MethodInsnNode call
        && !flow.readsFields(index)
        && mayThrow(call);
  }

  /** Whether a throwable of that type may be one: if its ancestors cannot be seen, too. */
  private boolean mayBeOne(String type) throws IOException {
    return ABOVE.contains(type)
        || methods.files().isA(type, CLASS_NOT_FOUND)
        || !methods.files().isA(type, "java/lang/Throwable");
  }

  private boolean mayThrow(MethodInsnNode call) throws IOException {
    if (call.owner.startsWith("[")) {
      return false; // clone
    }
    Set<Method> found = methods.callees(call);
    for (Method callee : found) {
      if (saysOne(callee) || isLeftWithOne(callee)) {
        return true;
      }
    }
    return found.isEmpty();
  }

  private boolean saysOne(Method method) throws IOException {
    for (String declared : method.code().exceptions) {
      if (mayBeOne(declared)) {
        return true;
      }
    }
    return false;
  }

  private boolean isLeftWithOne(Method method) throws IOException {
    String owner = method.owner().name;
    return methods.files().isOfPlatform(owner)
        ? SAY_NOTHING.contains(owner + '.' + method.code().name)
        : mayThrow(method);
  }

  private boolean mayThrow(Method method) throws IOException {
    Boolean before = known.get(method);
    if (before != null) {
      return before;
    }
    if (depth == MOST_DEPTH) {
      return true;
    }
    known.put(method, true);
    depth++;
    boolean may;
    try {
      may = isLeft(new StreamFlow(method, KnownArguments.NOTHING));
    } catch (AnalyzerException | IndexOutOfBoundsException e) {
      may = true; // damaged byte code, which no JVM would run
    } finally {
      depth--;
    }
    known.put(method, may);
    return may;
  }

  private boolean isLeft(StreamFlow flow) throws IOException {
    int[] states = flow.states(BEFORE, BEFORE, this::mayBeginAt);
    for (int i = 0; i < states.length; i++) {
      if (states[i] != 0 && mayLeaveAt(flow, i, states[i], BEFORE)) {
        return true;
      }
    }
    return false;
  }
}
