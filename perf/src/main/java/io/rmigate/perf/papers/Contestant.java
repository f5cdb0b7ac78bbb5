package io.rmigate.perf.papers;

import java.util.Optional;

/** A contestant of the comparison. */
enum Contestant {
  /** The client talks to the server over the link. */
  PLAIN("plain RMI", Optional.empty()),
  /** Through the pair of mediators: "without compression" in the paper. */
  UNCOMPRESSED("rmigate, uncompressed", Optional.of("compression=off")),
  /** Through the pair of mediators, with everything they do. */
  COMPRESSED("rmigate", Optional.of("compression=on"));

  private final String label;
  private final Optional<String> agentArguments;

  Contestant(String label, Optional<String> agentArguments) {
    this.label = label;
    this.agentArguments = agentArguments;
  }

  String label() {
    return label;
  }

  /** Options of the javaagent besides gateway and target; empty without a javaagent. */
  Optional<String> agentArguments() {
    return agentArguments;
  }
}
