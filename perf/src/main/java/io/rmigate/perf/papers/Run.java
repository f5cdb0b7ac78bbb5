package io.rmigate.perf.papers;

import io.rmigate.perf.link.Crossing;
import io.rmigate.perf.link.Traffic;
import java.util.List;

/** One client's doing, phase by phase, with what crossed the link meanwhile. */
record Run(Contestant contestant, Workload workload, List<Part> parts) {
  /** The part in which the mediators' link is set up; plain RMI has none. */
  static final String LINK = "link";

  /** The part after the last phase; not timed. */
  static final String TAIL = "tail";

  /** A phase and its traffic. */
  record Part(Phase phase, Traffic traffic, List<Crossing> crossings) {}

  /** The packets that crossed once the link was up. */
  List<Crossing> crossings() {
    return parts.stream()
        .filter(part -> !part.phase().name().equals(LINK))
        .flatMap(part -> part.crossings().stream())
        .toList();
  }
}
