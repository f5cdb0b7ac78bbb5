package io.rmigate.gateway.gate;

import io.rmigate.protocol.jrmp.message.CallHeader;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import java.util.Optional;

/** The gate's decision on one request. */
public sealed interface Verdict {

  /**
   * Exactly one Call: it may share the stream's connection with others.
   *
   * @param registry the registry operation that it is, if it is one
   */
  record Forward(CallHeader header, Optional<RegistryOperation> registry) implements Verdict {}

  /** Exactly one DgcAck, to which there is no answer. */
  record Acknowledge() implements Verdict {}

  /**
   * A Call whose end is not known: it goes over a SingleOp connection, on which a server executes
   * one message and no more (JRMP.md 4.5).
   *
   * @param reason why its end is not known, for the log
   */
  record Isolate(CallHeader header, Optional<RegistryOperation> registry, String reason)
      implements Verdict {}

  /** Policy refuses the operation; nothing is sent to the server. */
  record Deny(RegistryOperation operation) implements Verdict {}

  /** A request that no honest agent sends. The gateway sends nothing and closes the stream. */
  record Reject(String reason) implements Verdict {}
}
