package io.rmigate.gateway.scan.proof;

import io.rmigate.gateway.scan.proof.HarmlessCode.Moment;
import io.rmigate.gateway.scan.proof.Origin.Kind;
import io.rmigate.gateway.scan.shape.ClassFiles;
import java.io.IOException;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * The calls of methods of the JDK in one method that {@link MethodCheck} checks. Their code is not
 * followed: {@link HarmlessCalls} lists the harmless ones, and each kind has its own condition. One
 * use, one thread.
 */
final class PlatformCalls {
  private final HarmlessCode judge;
  private final ClassFiles files;
  private final Moment moment;
  private final ValueUses uses;

  /**
   * @param uses receives the values that the JDK's methods hash, compare or print
   */
  PlatformCalls(HarmlessCode judge, Moment moment, ValueUses uses) {
    this.judge = judge;
    this.files = judge.files();
    this.moment = moment;
    this.uses = uses;
  }

  /**
   * Checks a call of a method of the JDK.
   *
   * @param owner the class that has the method
   * @param count the number of arguments
   */
  void check(MethodInsnNode call, String owner, Frame<Origin> frame, int count) throws IOException {
    boolean harmless;
    if (call.name.equals("<init>")) {
      harmless =
          files.isA(owner, "java/lang/Throwable")
              ? HarmlessCalls.isOfException(call.desc)
                  && isThrownOrOwn(call, MethodCheck.top(frame, count))
              : HarmlessCalls.isConstructor(owner, call.desc) || isShortBuilder(call, frame);
    } else if (HarmlessCalls.formats(owner, call.name, call.desc)) {
      uses.print(MethodCheck.top(frame, 0));
      harmless = isShortFormat(MethodCheck.top(frame, 1));
    } else if (owner.equals("java/io/ObjectInputStream")
        || owner.equals("java/io/ObjectInputStream$GetField")) {
      harmless = moment == Moment.READING && checkReads(call, owner, frame, count);
    } else if (HarmlessCalls.isOfText(owner, call.name, call.desc)) {
      harmless =
          HarmlessCalls.isOfTwoTexts(call.name)
              ? moment != Moment.READING
              : moment == Moment.PRINTING;
      if (harmless && call.desc.startsWith("(Ljava/lang/Object;")) {
        uses.print(MethodCheck.top(frame, 0));
      }
    } else if (HarmlessCalls.asks(owner, call.name, call.desc)) { // as super.hashCode()
      boolean hashes = call.name.equals("toString"); // Object.toString() does
      harmless =
          owner.equals("java/lang/Enum")
              || (owner.equals("java/lang/Object") && (!hashes || moment == Moment.PRINTING));
    } else if (files.isA(owner, "java/lang/Throwable")) {
      harmless =
          (call.name.equals("getMessage") || call.name.equals("getCause"))
              && (moment == Moment.PRINTING || isOfThrowable(call));
    } else if (call.name.equals("clone")) { // the copy has no place where it could be kept
      harmless =
          moment == Moment.OTHER
              && owner.equals("java/lang/Object")
              && call.getOpcode() == Opcodes.INVOKESPECIAL;
    } else {
      harmless = HarmlessCalls.isQuick(owner, call.name, call.desc);
    }
    if (!harmless) {
      throw new HarmException(HarmlessCalls.text(owner, call.name));
    }
  }

  /** Some exceptions of the JDK make a text of their cause. */
  private boolean isOfThrowable(MethodInsnNode call) throws IOException {
    return call.getOpcode() == Opcodes.INVOKESPECIAL
        && judge.methods().find(call.owner, call.name, call.desc).stream()
            .allMatch(its -> its.owner().name.equals("java/lang/Throwable"));
  }

  private static boolean isShortBuilder(MethodInsnNode call, Frame<Origin> frame) {
    return call.owner.equals("java/lang/StringBuilder")
        && call.desc.equals("(I)V")
        && MethodCheck.top(frame, 0).is(Kind.CONSTANT)
        && MethodCheck.top(frame, 0).name().matches("\\d{1,4}");
  }

  /** Whether a format is a text of the code that makes nothing long of numbers. */
  private static boolean isShortFormat(Origin format) {
    return format.is(Kind.CONSTANT) && format.name().matches("([^%]|%-?\\d{0,2}[sdxcbn]|%%)*");
  }

  private boolean checkReads(MethodInsnNode call, String owner, Frame<Origin> frame, int count) {
    if (owner.equals("java/io/ObjectInputStream$GetField")) {
      return call.name.equals("get") && MethodCheck.top(frame, 1).is(Kind.CONSTANT);
    }
    if (!MethodCheck.top(frame, count).is(Kind.ARGUMENT)) {
      return false;
    }
    return call.name.equals("registerValidation")
        ? MethodCheck.top(frame, 1).is(Kind.THIS)
            && MethodCheck.top(frame, 0).equals(Origin.of(Kind.CONSTANT, "0"))
        : count == 0 && HarmlessCalls.reads(call.name);
  }

  /** An exception costs a stack trace, unless all of the message is refused by it. */
  static boolean isThrownOrOwn(MethodInsnNode call, Origin object) {
    if (object.is(Kind.THIS)) {
      return true;
    }
    return MethodCheck.isFollowedBy(Opcodes.ATHROW, call);
  }
}
