package io.rmigate.perf.dictionary;

import java.io.Serializable;
import java.time.LocalDate;

/** A value of an application, with the most common names for its fields. */
record Item(long id, String name, Double value, LocalDate date, Kind kind) implements Serializable {
  /** An enum of an application. */
  enum Kind {
    NEW,
    OLD
  }
}
