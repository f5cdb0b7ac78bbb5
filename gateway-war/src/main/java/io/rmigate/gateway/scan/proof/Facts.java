package io.rmigate.gateway.scan.proof;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;

/**
 * What one method does, as far as a proof asks: which methods it calls with what, and what it does
 * itself that may do harm.
 *
 * <p>Of references it is kept whether they may lead to what a static field holds, of numbers
 * whether a sender may choose them. Both are called tainted. Where that depends on who calls, on a
 * field or on a method that is called, it is a bit in a mask: {@link #TAINTED}, {@link #LOOSE}, and
 * one for each of {@link #sources}.
 */
final class Facts {
  /** A static field leads there, or a sender chooses the number. */
  static final long TAINTED = 1;

  /** Not by a static final field itself: what is there may have been put there by anybody. */
  static final long LOOSE = 2;

  private static final int FIRST_SOURCE = 2;

  /** How a harmful thing spreads. */
  enum Harm {
    /** Reflection, files or sockets: spreads to each method that may call it, by any type. */
    SINK,

    /** Time or memory without a bound: spreads to methods that call it by a type of the jars. */
    COST,

    /** Arithmetic, patterns, formats: only where the JDK calls it while it reads. */
    EXPENSIVE
  }

  /** Where a value comes from, if its taint is decided elsewhere. */
  sealed interface Source {
    /** An argument of this method; its receiver is the first. */
    record Parameter(int number) implements Source {}

    /** A field, or the elements of the arrays of a type. */
    record Field(String key) implements Source {}

    /** What the call at an instruction returns; see {@link Facts#given}. */
    record Result(int at) implements Source {}
  }

  /**
   * A call.
   *
   * @param opcode of the invocation
   * @param signature name and descriptor
   */
  record Call(int opcode, String owner, String signature, boolean ofInterface) {
    String name() {
      return signature.substring(0, signature.indexOf('('));
    }

    String descriptor() {
      return signature.substring(signature.indexOf('('));
    }

    boolean isByObject() {
      return opcode == Opcodes.INVOKEVIRTUAL || opcode == Opcodes.INVOKEINTERFACE;
    }
  }

  /**
   * One place where something is called.
   *
   * @param arguments the receiver is the first
   * @param inLoop whether it is called again and again with nothing that differs each time
   */
  record CallSite(Call call, List<Argument> arguments, boolean inLoop) {}

  /**
   * What a call is given.
   *
   * @param type internal name of its type, or of one above; empty for numbers and arrays
   * @param exact whether it has just that type
   */
  record Argument(String type, long mask, boolean exact) {}

  /** A call, and the taint of those of its arguments that it may return. */
  @SuppressWarnings("ArrayRecordComponent")
  record Given(Call call, long[] masks) {}

  /** Something that does harm if one of these numbers is tainted. */
  record Condition(long mask, Harm harm, String what) {}

  /** Something that is changed: harm if a static field leads there. */
  record Change(long mask, String what) {}

  /** An object of a type that a static field leads to, and that never changes. */
  record Presence(String type, long mask) {}

  /** A value that is put into a field or an array. */
  record Store(String field, long mask) {}

  /** Something that does harm. */
  record Defect(Harm harm, String what) {}

  final List<Source> sources = new ArrayList<>();
  final List<CallSite> calls = new ArrayList<>();

  /** By instruction: a call whose result may be tainted, and the taint of its arguments. */
  final Map<Integer, Given> given = new HashMap<>();

  /** Bodies of lambdas that it makes. */
  final List<Call> lambdas = new ArrayList<>();

  final List<Condition> conditions = new ArrayList<>();
  final List<Change> changes = new ArrayList<>();
  final List<Store> stores = new ArrayList<>();
  final List<Presence> presences = new ArrayList<>();
  final List<Defect> defects = new ArrayList<>();

  /** Classes whose static fields it reads, if lambdas may be there. */
  final List<String> statics = new ArrayList<>();

  /** Classes of which it makes objects. */
  final List<String> made = new ArrayList<>();

  /** Of an initializer: the types that its class's static fields have; empty for unknown ones. */
  final Map<String, String> exactStatics = new HashMap<>();

  long returned;
  boolean loops;

  /** The bit of a source; {@link #TAINTED} if there are too many. */
  long bit(Source source) {
    int at = sources.indexOf(source);
    if (at < 0) {
      if (sources.size() + FIRST_SOURCE >= Long.SIZE) {
        return TAINTED;
      }
      at = sources.size();
      sources.add(source);
    }
    return 1L << (at + FIRST_SOURCE);
  }

  /** The sources of a mask. */
  List<Source> of(long mask) {
    List<Source> all = new ArrayList<>();
    for (int i = 0; i < sources.size(); i++) {
      if ((mask & 1L << (i + FIRST_SOURCE)) != 0) {
        all.add(sources.get(i));
      }
    }
    return all;
  }

  /** What is left is where values come from: of what is decided later. */
  void forgetWhatIsFollowed() {
    calls.clear();
    lambdas.clear();
    conditions.clear();
    changes.clear();
    stores.clear();
    presences.clear();
    defects.clear();
    statics.clear();
    made.clear();
  }

  void defect(Harm harm, String what) {
    Defect defect = new Defect(harm, what);
    if (!defects.contains(defect)) {
      defects.add(defect);
    }
  }
}
