package io.rmigate.client.async;

/** State of the execution of a call by its server, as far as the client knows. */
public enum Execution {
  /** The server has not executed the call and never will. It can be made again. */
  NOT_EXECUTED,

  /** The call has left, and no answer has come: the server may have executed it, or may yet. */
  POSSIBLY_EXECUTED,

  /** The server has executed the call, whether it returned a value or threw an exception. */
  EXECUTED
}
