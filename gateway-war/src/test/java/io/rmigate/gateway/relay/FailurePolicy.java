package io.rmigate.gateway.relay;

/** What a {@link ScriptedRmiServer} does wrong. */
public enum FailurePolicy {
  /** Nothing: acks, answers every Call with a void Return and every Ping with a PingAck. */
  NONE,
  /** Accepts and says nothing, not even the ProtocolAck. */
  NEVER_ACK,
  /** Answers the header with ProtocolNotSupported. */
  NACK,
  /** Answers the header as a web server answers nonsense. */
  HTTP,
  /** Closes the connection once the header has come. */
  CLOSE_ON_HEADER,
  /** Acks, and closes before any request. */
  CLOSE_AFTER_ACK,
  /** Takes the whole Call and closes without an answer. */
  CLOSE_AFTER_CALL,
  /** Sends half of the Return and closes. */
  CUT_RETURN,
  /** Answers in single bytes, each in a segment of its own. */
  SINGLE_BYTES,
  /** Acks, and reads nothing until the policy is another; then it reads and never answers. */
  NEVER_READ,
  /** Answers Calls, but no Ping. */
  NO_PING_ACK,
  /** Answers Calls, and a Ping with something else. */
  WRONG_PING_ACK,
  /** Answers one Call and closes. */
  CLOSE_AFTER_RETURN,
  /** Answers on a SingleOp connection too without closing it. */
  KEEP_SINGLE_OP_OPEN,
  /** Takes Calls and never answers. */
  NEVER_ANSWER
}
