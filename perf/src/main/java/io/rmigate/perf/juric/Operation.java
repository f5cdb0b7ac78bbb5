package io.rmigate.perf.juric;

import io.rmigate.perf.ways.Access;
import io.rmigate.perf.ways.Way;
import io.rmigate.sample.PerformanceTester;
import java.util.Arrays;
import java.util.List;

/** An operation that is timed: a method of the published interface, or its lookup. */
enum Operation {
  /** A lookup in the registry; for web services, the making of a port. */
  LOOKUP("lookup", (access, tester) -> access.open()),
  GET_INT("getInt", (access, tester) -> tester.getInt()),
  GET_SHORT("getShort", (access, tester) -> tester.getShort()),
  GET_LONG("getLong", (access, tester) -> tester.getLong()),
  GET_FLOAT("getFloat", (access, tester) -> tester.getFloat()),
  GET_DOUBLE("getDouble", (access, tester) -> tester.getDouble()),
  GET_BOOLEAN("getBoolean", (access, tester) -> tester.getBoolean()),
  GET_BYTE("getByte", (access, tester) -> tester.getByte()),
  GET_STRING("getString", (access, tester) -> tester.getString());

  private interface Work {
    Object run(Access access, PerformanceTester tester) throws Exception;
  }

  private final String label;

  @SuppressWarnings("ImmutableEnumChecker") // lambdas without anything of their own
  private final Work work;

  Operation(String label, Work work) {
    this.label = label;
    this.work = work;
  }

  /** The label in tables and commands. */
  String label() {
    return label;
  }

  /** JSON over HTTP has nothing to look up. */
  boolean isPartOf(Way way) {
    return this != LOOKUP || way != Way.JSON;
  }

  /** The seven getters of primitive types, which the publication's charts show as one. */
  static List<Operation> primitiveGetters() {
    return Arrays.stream(values())
        .filter(operation -> operation != LOOKUP && operation != GET_STRING)
        .toList();
  }

  static Operation parse(String label) {
    return Arrays.stream(values())
        .filter(operation -> operation.label.equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no operation " + label));
  }

  /** Runs the operation once; returns its result. */
  Object run(Access access, PerformanceTester tester) throws Exception {
    return work.run(access, tester);
  }
}
