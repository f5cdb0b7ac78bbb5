package io.rmigate.gateway.scan.shape;

import static io.rmigate.gateway.scan.shape.StreamFlow.AFTER;
import static io.rmigate.gateway.scan.shape.StreamFlow.BEFORE;
import static io.rmigate.gateway.scan.shape.StreamFlow.FAILED;

import io.rmigate.gateway.scan.shape.Methods.Method;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * What the {@code readObject} or the {@code readExternal} of a class does with the stream, by its
 * byte code. Three things are looked for on every path.
 *
 * <p><b>Fields first.</b> The first use of the stream is {@code defaultReadObject} or {@code
 * readFields}. A method that reads before that, or returns without it, takes the bytes of the
 * declared fields for something else, or leaves them for the next read. {@code
 * java.rmi.server.RemoteObject} does: whole objects then hide in what its descriptor calls numbers.
 * In {@code readExternal} there are none.
 *
 * <p><b>No reading on.</b> No method catches a failure of the stream and returns nevertheless. A
 * failure leaves the stream wherever it happened, deep within an object that is not yet over; for a
 * receiver that goes on from there the rest means something else than for a parser that went on to
 * the object's end. Only {@link ClassNotFoundException} is thrown when the object is over.
 *
 * <p><b>No missing class meanwhile.</b> A {@code ClassNotFoundException} is also the only throwable
 * that does not end {@link java.io.ObjectInputStream}'s reading, in JDK 8 as in 25: it notes that
 * the object has no class and reads on. So before the fields have been read, or when the stream has
 * failed, no method may end with one. See {@link MissingClasses}.
 *
 * <p>Methods that the stream is passed to are looked into wherever they are, and with each all that
 * classes of the jars have in its place. Those of the JDK are trusted if they are the stream's own,
 * or among {@link HarmlessCalls}. One that cannot be seen, or that an interface or an abstract
 * class leaves open, proves nothing, and neither does who puts the stream into a field or a lambda.
 * Classes of the JDK are looked at by us as well, and may hand the stream to each other.
 *
 * <p>Where a class fails one of them, nothing is said against it: it is just not known where its
 * data end.
 */
final class ReadObject {
  private static final String STREAM = "java/io/ObjectInputStream";
  private static final String SIGNATURE = "(L" + STREAM + ";)V";
  private static final String EXTERNAL_SIGNATURE = "(Ljava/io/ObjectInput;)V";

  private final Methods methods;
  private final MissingClasses missing;
  private final ClassNode type;
  private final boolean hasFields;

  /** In which states a ClassNotFoundException must not leave a method. */
  private final int matters;

  /** A class of the JDK is being looked at. */
  private final boolean ofPlatform;

  private record Visit(Method method, KnownArguments given) {}

  private final Set<Visit> seen = new HashSet<>();
  private boolean returns;

  /** A ClassNotFoundException may come from elsewhere than the stream. */
  private boolean looksForClasses;

  private ReadObject(Methods methods, MissingClasses missing, ClassNode type, boolean hasFields)
      throws IOException {
    this.methods = methods;
    this.missing = missing;
    this.type = type;
    this.hasFields = hasFields;
    this.matters = hasFields ? BEFORE | FAILED : FAILED;
    this.ofPlatform = methods.files().isOfPlatform(type.name);
  }

  /** The reading of a class. */
  static Reading of(
      Methods methods,
      MissingClasses missing,
      ClassNode type,
      boolean hasFields,
      boolean writesOwnData)
      throws IOException {
    for (MethodNode method : type.methods) {
      if (method.name.equals("readObject")
          && method.desc.equals(SIGNATURE)
          && (method.access & Opcodes.ACC_STATIC) == 0
          && (method.access & Opcodes.ACC_PRIVATE) != 0) {
        // Without fields all are read before the first byte; own data are read as such.
        boolean nothingToRead = !hasFields && writesOwnData;
        ReadObject analysis = new ReadObject(methods, missing, type, hasFields);
        boolean good = analysis.proves(new Method(type, method), nothingToRead ? AFTER : BEFORE);
        if (!good) {
          return Reading.UNPROVEN;
        }
        return ancestorsRead(methods, missing, type)
            ? (analysis.returns ? Reading.AS_DECLARED : Reading.REFUSED)
            : Reading.UNPROVEN;
      }
    }
    return ancestorsRead(methods, missing, type) ? Reading.AS_DECLARED : Reading.UNPROVEN;
  }

  /**
   * Whether what the readObject of each ancestor calls on the object itself reads as it should in
   * this class, too, which may override that. Where fields are is for the ancestor's own data.
   */
  private static boolean ancestorsRead(Methods methods, MissingClasses missing, ClassNode type)
      throws IOException {
    for (ClassNode ancestor : methods.ancestors(type)) {
      Optional<MethodNode> reader =
          ancestor.methods.stream()
              .filter(method -> method.name.equals("readObject") && method.desc.equals(SIGNATURE))
              .filter(method -> (method.access & Opcodes.ACC_PRIVATE) != 0)
              .findFirst();
      if (reader.isPresent()
          && !new ReadObject(methods, missing, type, false)
              .proves(new Method(ancestor, reader.get()), AFTER)) {
        return false;
      }
    }
    return true;
  }

  /**
   * The reading of an Externalizable.
   *
   * @param looksForClasses whether its reader may end in a {@link ClassNotFoundException} of which
   *     no class in the stream is the reason
   */
  record External(Reading reading, boolean looksForClasses) {
    static final External UNPROVEN = new External(Reading.UNPROVEN, true);
  }

  /**
   * The reading of an Externalizable whose data are framed. Of one that refuses, a subclass need
   * not.
   */
  static External ofExternal(Methods methods, MissingClasses missing, ClassNode type)
      throws IOException {
    if ((type.access & Opcodes.ACC_ABSTRACT) != 0) {
      return new External(Reading.AS_DECLARED, false); // its objects are of subclasses
    }
    Set<Method> found = methods.find(type, "readExternal", EXTERNAL_SIGNATURE);
    if (found.isEmpty() || found.stream().anyMatch(Method::isAbstract)) {
      return External.UNPROVEN;
    }
    boolean looks = false;
    for (Method method : found) {
      ReadObject analysis = new ReadObject(methods, missing, type, false);
      if (!analysis.proves(method, AFTER)) {
        return External.UNPROVEN;
      }
      looks |= analysis.looksForClasses;
    }
    return new External(Reading.AS_DECLARED, looks);
  }

  private boolean proves(Method reader, int entry) throws IOException {
    return proves(reader, KnownArguments.TO_READER, entry);
  }

  private boolean proves(Method method, KnownArguments given, int entry) throws IOException {
    if (!seen.add(new Visit(method, given))) {
      return true;
    }
    boolean outermost = seen.size() == 1;
    try {
      StreamFlow flow = new StreamFlow(method, given);
      int[] states = flow.states(entry, matters, missing::mayBeginAt);
      for (int i = 0; i < states.length; i++) {
        if (states[i] != 0 && !allows(method, flow, i, states[i], outermost)) {
          return false;
        }
      }
      return true;
    } catch (AnalyzerException | IndexOutOfBoundsException e) {
      return false; // damaged byte code, which no JVM would run
    }
  }

  private boolean allows(Method method, StreamFlow flow, int index, int state, boolean outermost)
      throws IOException {
    AbstractInsnNode instruction = flow.at(index);
    if (instruction.getOpcode() == Opcodes.RETURN && outermost) {
      returns = true;
      if ((state & BEFORE) != 0 && hasFields) {
        return false;
      }
    }
    boolean isReturn =
        instruction.getOpcode() >= Opcodes.IRETURN && instruction.getOpcode() <= Opcodes.RETURN;
    if ((isReturn || flow.usesStream(index)) && (state & FAILED) != 0) {
      return false;
    }
    if (!flow.usesStream(index)) {
      looksForClasses = looksForClasses || missing.mayBeginAt(flow, index);
      return !missing.mayLeaveAt(flow, index, state, matters);
    }
    if (flow.readsFields(index)) {
      return true;
    }
    return (state & BEFORE) == 0
        && !flow.keepsStream(index)
        && !flow.hidesStream(index)
        && (!(instruction instanceof MethodInsnNode call)
            || provesCallees(method, call, flow.given(index)));
  }

  /** Whether all methods that get the stream there are proven. */
  private boolean provesCallees(Method caller, MethodInsnNode call, KnownArguments given)
      throws IOException {
    if (ofPlatform && !call.owner.equals(type.name)) {
      return true;
    }
    Set<Method> callees =
        given.object() ? methods.callees(call, caller, type) : methods.callees(call);
    for (Method callee : callees) {
      if (!provesCallee(callee, given)) {
        return false;
      }
    }
    return !callees.isEmpty();
  }

  private boolean provesCallee(Method callee, KnownArguments given) throws IOException {
    String owner = callee.owner().name;
    if (!owner.equals(type.name) && methods.files().isOfPlatform(owner)) {
      return ofPlatform || !given.asArgument() || HarmlessCalls.has(owner, callee.code().name);
    }
    return !callee.isAbstract() && proves(callee, given, AFTER);
  }
}
