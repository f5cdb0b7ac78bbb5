package io.rmigate.gateway.scan.proof;

import io.rmigate.gateway.scan.proof.HarmlessCode.Judgement;
import io.rmigate.gateway.scan.proof.HarmlessCode.Moment;
import io.rmigate.gateway.scan.proof.Origin.Kind;
import io.rmigate.gateway.scan.shape.ClassFiles;
import io.rmigate.gateway.scan.shape.Methods.Method;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;

/** Checks one method, instruction by instruction; see {@link HarmlessCode}. One use, one thread. */
final class MethodCheck {
  /** More instructions than that are not looked at. */
  private static final int LONGEST = 4000;

  /** Elements of an array that a method may make. */
  private static final int FEW = 16;

  /** As many objects and arrays a method may make, with all that it calls. */
  private static final int MOST_OBJECTS = 4;

  /** As many instructions it may run, with all that it calls. */
  private static final int MOST_STEPS = 20_000;

  private final Method method;
  private final Moment moment;
  private final InsnList code;
  private final HarmlessCode judge;
  private final ClassFiles files;
  private final ValueUses uses;
  private final PlatformCalls platformCalls;
  private final Set<String> made = new LinkedHashSet<>();
  private int objects;
  private int steps;

  /**
   * Checks one method.
   *
   * @param judge of the methods that it calls
   */
  MethodCheck(HarmlessCode judge, Method method, Moment moment) {
    this.judge = judge;
    this.files = judge.files();
    this.uses = new ValueUses(moment);
    this.method = method;
    this.moment = moment;
    this.code = method.code().instructions;
    this.platformCalls = new PlatformCalls(judge, moment, uses);
  }

  Judgement judge() throws AnalyzerException, IOException {
    try {
      checkWhole();
      Frame<Origin>[] frames =
          new Analyzer<>(new Origins(judge::isLeaf)).analyze(method.owner().name, method.code());
      for (int i = 0; i < frames.length; i++) {
        if (frames[i] != null) {
          check(code.get(i), i, frames[i]);
        }
      }
      if (!method.code().tryCatchBlocks.isEmpty()) {
        throw new HarmException("handles exceptions");
      }
      if (objects > MOST_OBJECTS) {
        throw new HarmException("makes more than " + MOST_OBJECTS + " objects");
      }
      steps += code.size();
      if (steps > MOST_STEPS) {
        throw new HarmException("runs more than " + MOST_STEPS + " instructions");
      }
      return new Judgement(List.of(), uses.kept(), Set.copyOf(made), objects, steps);
    } catch (HarmException harm) {
      List<String> way = new ArrayList<>(List.of(HarmlessCode.text(method)));
      way.addAll(harm.way());
      return Judgement.harm(List.copyOf(way));
    }
  }

  private void checkWhole() {
    int access = method.code().access;
    if ((access & Opcodes.ACC_NATIVE) != 0) {
      throw new HarmException("native code");
    }
    if ((access & Opcodes.ACC_SYNCHRONIZED) != 0) {
      throw new HarmException("synchronized: may wait");
    }
    if (code.size() > LONGEST) {
      throw new HarmException("too long to be looked at");
    }
  }

  private void check(AbstractInsnNode instruction, int at, Frame<Origin> frame) throws IOException {
    if (instruction instanceof MethodInsnNode call) {
      checkCall(call, frame);
    } else if (instruction instanceof FieldInsnNode field) {
      checkField(field, frame);
    } else if (instruction instanceof InvokeDynamicInsnNode dynamic) {
      checkDynamic(dynamic, frame);
    } else if (instruction instanceof JumpInsnNode jump) {
      checkJump(jump.label, at);
    } else if (instruction instanceof TableSwitchInsnNode jump) {
      jump.labels.forEach(label -> checkJump(label, at));
      checkJump(jump.dflt, at);
    } else if (instruction instanceof LookupSwitchInsnNode jump) {
      jump.labels.forEach(label -> checkJump(label, at));
      checkJump(jump.dflt, at);
    } else if (instruction instanceof LdcInsnNode constant) {
      checkConstant(constant.cst);
    } else {
      checkPlain(instruction, frame);
    }
  }

  private void checkJump(LabelNode to, int at) {
    if (code.indexOf(to) <= at) {
      throw new HarmException("goes round in a loop");
    }
  }

  private void checkConstant(Object constant) {
    boolean plain =
        constant instanceof Number
            || constant instanceof String
            || (constant instanceof Type type && type.getSort() != Type.METHOD);
    if (!plain) {
      throw new HarmException("method handles");
    }
  }

  private void checkPlain(AbstractInsnNode instruction, Frame<Origin> frame) {
    switch (instruction.getOpcode()) {
      case Opcodes.NEW -> checkNew(((TypeInsnNode) instruction).desc);
      case Opcodes.NEWARRAY, Opcodes.ANEWARRAY -> {
        Origin length = top(frame, 0);
        if (!length.is(Kind.CONSTANT) || !isFew(length.name())) {
          throw new HarmException("an array whose length the sender may choose, or a long one");
        }
        objects++;
      }
      case Opcodes.IASTORE,
          Opcodes.LASTORE,
          Opcodes.FASTORE,
          Opcodes.DASTORE,
          Opcodes.BASTORE,
          Opcodes.CASTORE,
          Opcodes.SASTORE,
          Opcodes.AASTORE -> {
        if (!top(frame, 2).is(Kind.NEW_ARRAY)) {
          throw new HarmException("changes an array that it has not made");
        }
        putElement(top(frame, 0));
      }
      case Opcodes.ARETURN -> {
        Kind kind = top(frame, 0).kind();
        boolean known = kind != Kind.OTHER && kind != Kind.ARGUMENT && kind != Kind.READ;
        boolean shared = before(instruction).getOpcode() == Opcodes.GETSTATIC; // judged there
        if (method.code().name.equals("readResolve") && !known && !shared) {
          throw new HarmException("puts something into its place that stands elsewhere");
        }
      }
      case Opcodes.MULTIANEWARRAY -> throw new HarmException("an array of arrays");
      case Opcodes.MONITORENTER -> throw new HarmException("synchronized: may wait");
      case Opcodes.JSR, Opcodes.RET -> throw new HarmException("a subroutine of old byte code");
      default -> {}
    }
  }

  /** Into an array that it has made, maybe to have all its elements hashed or printed at once. */
  private void putElement(Origin value) {
    switch (moment) {
      case READING -> uses.keep(value, false);
      case PRINTING -> uses.print(value);
      case OTHER -> uses.hash(value);
    }
  }

  private static boolean isFew(String number) {
    try {
      return Integer.parseInt(number) <= FEW;
    } catch (NumberFormatException noNumber) {
      return false;
    }
  }

  /** A value on the stack, the uppermost with number 0. */
  static Origin top(Frame<Origin> frame, int number) {
    return frame.getStack(frame.getStackSize() - 1 - number);
  }

  private static AbstractInsnNode before(AbstractInsnNode instruction) {
    AbstractInsnNode before = instruction.getPrevious();
    while (before.getOpcode() < 0) {
      before = before.getPrevious();
    }
    return before;
  }

  private void checkNew(String type) {
    objects++;
    try {
      if (!files.isOfPlatform(type)) {
        made.add(type);
      } else if (!files.isA(type, "java/lang/Throwable")
          && !HarmlessCalls.isMadeEmpty(type)
          && !(moment == Moment.PRINTING && type.equals("java/lang/StringBuilder"))) {
        throw new HarmException("makes an object of " + HarmlessCalls.text(type, "<init>"));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void checkField(FieldInsnNode field, Frame<Origin> frame) throws IOException {
    boolean plain = HarmlessCalls.isValue(field.desc);
    String name = field.owner.replace('/', '.') + "." + field.name;
    switch (field.getOpcode()) {
      case Opcodes.PUTSTATIC -> throw new HarmException("writes the static field " + name);
      case Opcodes.GETSTATIC -> {
        boolean unchanging =
            plain || judge.isEnum(field.desc) || HarmlessCalls.isPrimitiveArray(field.desc);
        if (!unchanging && !isSingleton(field)) {
          throw new HarmException("reads the static field " + name);
        }
      }
      case Opcodes.PUTFIELD -> {
        if (moment != Moment.READING || files.isA(field.owner, "java/lang/Enum")) {
          throw new HarmException("changes an object that has been read: " + name);
        }
        if (!top(frame, 1).is(Kind.THIS)) {
          throw new HarmException("changes another object: " + name);
        }
        if (!plain) {
          uses.keep(top(frame, 0), method.code().name.equals("<init>"));
        }
      }
      default -> {
        if (!plain && !judge.isEnum(field.desc) && files.isA(field.owner, "java/lang/Enum")) {
          throw new HarmException("reads what a constant of an enum holds: " + name);
        }
      }
    }
  }

  /** An object without fields takes the place of the one that was read. */
  private boolean isSingleton(FieldInsnNode get) throws IOException {
    boolean resolves =
        method.code().name.equals("readResolve")
            && isFollowedBy(Opcodes.ARETURN, get)
            && get.desc.startsWith("L");
    if (!resolves) {
      return false;
    }
    String type = get.desc.substring(1, get.desc.length() - 1);
    if (files.isOfPlatform(type) || files.isInterface(type)) {
      return false;
    }
    Set<String> types = new LinkedHashSet<>(Set.of(type));
    types.addAll(files.subclasses(type));
    for (String one : types) {
      for (String ancestor : files.ancestors(one)) {
        if (!ancestor.equals("java/lang/Object") && hasFields(ancestor)) {
          return false;
        }
      }
    }
    made.addAll(types);
    return !judge.othersExtend();
  }

  private boolean hasFields(String type) throws IOException {
    List<ClassNode> versions = judge.methods().classNodes(type);
    return versions.isEmpty()
        || versions.stream()
            .flatMap(version -> version.fields.stream())
            .anyMatch(field -> (field.access & Opcodes.ACC_STATIC) == 0);
  }

  private void checkDynamic(InvokeDynamicInsnNode dynamic, Frame<Origin> frame) {
    String maker = dynamic.bsm.getOwner();
    if (maker.equals("java/lang/invoke/StringConcatFactory")) {
      for (Object constant : dynamic.bsmArgs) {
        checkConstant(constant);
      }
      checkTexts(Type.getArgumentTypes(dynamic.desc), frame);
    } else if (maker.equals("java/lang/runtime/ObjectMethods")) {
      for (Object component : dynamic.bsmArgs) {
        checkComponent(component, dynamic.name);
      }
    } else {
      throw new HarmException("code that is made when it runs: " + maker.replace('/', '.'));
    }
  }

  private void checkTexts(Type[] arguments, Frame<Origin> frame) {
    for (int i = 0; i < arguments.length; i++) {
      boolean number = arguments[i].getSort() < Type.ARRAY;
      if (number) {
        continue;
      }
      if (moment != Moment.PRINTING) {
        throw new HarmException("makes a text of texts");
      }
      uses.print(top(frame, arguments.length - 1 - i));
    }
  }

  /** A component of a record, which is hashed, compared or printed with the others. */
  private void checkComponent(Object component, String what) {
    if (component instanceof Type || component instanceof String) {
      return;
    }
    boolean its =
        component instanceof Handle field
            && field.getTag() == Opcodes.H_GETFIELD
            && field.getOwner().equals(method.owner().name);
    if (!its) {
      throw new HarmException("method handles");
    }
    Handle field = (Handle) component;
    Origin content = new Origins(judge::isLeaf).newValue(Type.getType(field.getDesc()));
    if (!what.equals("toString") && !content.holdsNoOthers()) {
      throw new HarmException("asks the component " + field.getName() + " for its hash code");
    }
  }

  private void checkCall(MethodInsnNode call, Frame<Origin> frame) throws IOException {
    int count = Type.getArgumentTypes(call.desc).length;
    boolean isStatic = call.getOpcode() == Opcodes.INVOKESTATIC;
    boolean isSpecial = call.getOpcode() == Opcodes.INVOKESPECIAL;
    Origin object = isStatic ? Origin.OTHER : top(frame, count);
    boolean ofPlatform = files.isOfPlatform(call.owner);
    if (!isSpecial && !object.is(Kind.THIS) && isAsked(call, ofPlatform, isStatic)) {
      checkAsked(call, frame, isStatic ? top(frame, count - 1) : object);
    } else if (call.owner.startsWith("[")) {
      if (!call.name.equals("getClass")) {
        throw new HarmException("copies an array");
      }
    } else if (call.getOpcode() == Opcodes.INVOKEINTERFACE) {
      checkStream(call, object);
    } else if (ofPlatform) {
      if (object.is(Kind.THIS)
          && !isSpecial
          && HarmlessCalls.asks(call.owner, call.name, call.desc)) {
        throw new HarmException("asks itself: " + HarmlessCalls.text(call.owner, call.name));
      }
      platformCalls.check(call, call.owner, frame, count);
    } else {
      boolean fixed = isStatic || isSpecial;
      for (Method callee : judge.callees(call, fixed, object.is(Kind.THIS))) {
        if (files.isOfPlatform(callee.owner().name)) {
          platformCalls.check(call, callee.owner().name, frame, count);
        } else {
          checkCallee(call, callee, frame, count);
        }
      }
    }
  }

  /** Whether a call goes to what each class has been judged for by itself. */
  private boolean isAsked(MethodInsnNode call, boolean ofPlatform, boolean isStatic)
      throws IOException {
    if (!HarmlessCalls.asks(call.owner, call.name, call.desc)) {
      return false;
    }
    return ofPlatform
        || (!isStatic
            && (!call.name.equals("compareTo") || files.isA(call.owner, "java/lang/Comparable")));
  }

  private void checkAsked(MethodInsnNode call, Frame<Origin> frame, Origin object) {
    if (HarmlessCalls.isBox(call.owner) && object.isValue()) {
      return;
    }
    switch (call.name) {
      case "hashCode", "hash", "deepHashCode" -> uses.hash(object);
      case "equals", "compareTo", "deepEquals" -> uses.compare(object, top(frame, 0));
      default -> uses.print(object);
    }
  }

  /** In readExternal the stream is an interface. */
  private void checkStream(MethodInsnNode call, Origin object) throws IOException {
    boolean stream =
        (call.owner.equals("java/io/ObjectInput") || call.owner.equals("java/io/DataInput"))
            && object.is(Kind.ARGUMENT)
            && method.code().name.equals("readExternal")
            && method.code().desc.equals("(Ljava/io/ObjectInput;)V");
    if (!stream || !HarmlessCalls.reads(call.name)) {
      throw new HarmException(
          files.isOfPlatform(call.owner)
              ? HarmlessCalls.text(call.owner, call.name) + ", through an interface"
              : HarmlessCode.name(call) + ", through an interface");
    }
  }

  private void checkCallee(MethodInsnNode call, Method callee, Frame<Origin> frame, int count)
      throws IOException {
    if (judge.isUnreadable(callee.owner().name)) {
      throw new HarmException(callee.owner().name.replace('/', '.') + ": a version cannot be read");
    }
    Judgement judged = judge.visit(callee, moment);
    if (!judged.isHarmless()) {
      throw new HarmException(judged.harm());
    }
    made.addAll(judged.made());
    objects += judged.objects();
    steps += Math.min(judged.steps(), MOST_STEPS);
    boolean exception = call.name.equals("<init>") && files.isA(call.owner, "java/lang/Throwable");
    if (exception && !PlatformCalls.isThrownOrOwn(call, top(frame, count))) {
      throw new HarmException("makes an exception that it does not throw");
    }
    for (Origin kept : judged.kept()) {
      passOn(kept, callee, frame);
    }
  }

  /** Passes on to the caller what a callee keeps. */
  private void passOn(Origin kept, Method callee, Frame<Origin> frame) {
    Type[] arguments = Type.getArgumentTypes(callee.code().desc);
    switch (kept.kind()) {
      case ARGUMENT -> {
        int local = 1; // of a constructor, which alone keeps its arguments
        for (int i = 0; i < arguments.length; i++) {
          if (kept.name().equals(Integer.toString(local))) {
            uses.keep(top(frame, arguments.length - 1 - i), method.code().name.equals("<init>"));
          }
          local += arguments[i].getSize();
        }
      }
      default -> uses.keepOnce(kept);
    }
  }

  /** Labels and line numbers are no instructions. */
  static boolean isFollowedBy(int opcode, AbstractInsnNode instruction) {
    AbstractInsnNode next = instruction.getNext();
    while (next != null && next.getOpcode() < 0) {
      next = next.getNext();
    }
    return next != null && next.getOpcode() == opcode;
  }
}
