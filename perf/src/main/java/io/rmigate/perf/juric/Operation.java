package io.rmigate.perf.juric;

import io.rmigate.perf.ways.Access;
import io.rmigate.perf.ways.Way;
import io.rmigate.sample.PerformanceTester;
import java.util.Arrays;
import java.util.List;

/** What is timed: the interface of the publication, method by method. */
enum Operation {
  /** In the registry; of web services, making a port. */
  LOOKUP("lookup") {
    @Override
    Object run(Access access, PerformanceTester tester) throws Exception {
      return access.open();
    }
  },
  GET_INT("getInt") {
    @Override
    Object run(Access access, PerformanceTester tester) throws Exception {
      return tester.getInt();
    }
  },
  GET_SHORT("getShort") {
    @Override
    Object run(Access access, PerformanceTester tester) throws Exception {
      return tester.getShort();
    }
  },
  GET_LONG("getLong") {
    @Override
    Object run(Access access, PerformanceTester tester) throws Exception {
      return tester.getLong();
    }
  },
  GET_FLOAT("getFloat") {
    @Override
    Object run(Access access, PerformanceTester tester) throws Exception {
      return tester.getFloat();
    }
  },
  GET_DOUBLE("getDouble") {
    @Override
    Object run(Access access, PerformanceTester tester) throws Exception {
      return tester.getDouble();
    }
  },
  GET_BOOLEAN("getBoolean") {
    @Override
    Object run(Access access, PerformanceTester tester) throws Exception {
      return tester.getBoolean();
    }
  },
  GET_BYTE("getByte") {
    @Override
    Object run(Access access, PerformanceTester tester) throws Exception {
      return tester.getByte();
    }
  },
  GET_STRING("getString") {
    @Override
    Object run(Access access, PerformanceTester tester) throws Exception {
      return tester.getString();
    }
  };

  private final String label;

  Operation(String label) {
    this.label = label;
  }

  /** As in tables and commands. */
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

  /** Does it once; returns what came of it. */
  abstract Object run(Access access, PerformanceTester tester) throws Exception;
}
