package io.rmigate.soap.call;

/** A call brought no result. */
public final class CallFailure extends Exception {
  private static final long serialVersionUID = 1L;

  /** The outcome of the failed call, as far as the gateway knows it. */
  public enum Kind {
    /** The remote method threw the cause. */
    THROWN,
    /** The principal may not, or there is nothing of that name: clients cannot tell these apart. */
    NOT_PERMITTED,
    /** The arguments cannot be marshalled: nothing was executed. */
    NOT_SENDABLE,
    /** The object was not reached: nothing was executed. */
    UNREACHABLE,
    /** The connection was lost on the way: it may have been executed. */
    LOST,
    /** No answer came in time: it may have been executed. */
    TIMED_OUT,
    /** The call was executed, but its answer is refused. */
    ANSWER_REFUSED,
    /** The principal, or the gateway, has as much as it may have: nothing was executed. */
    TOO_MANY
  }

  private final Kind kind;

  /**
   * @param message for the gateway's log; clients never see it
   * @param cause what a {@link Kind#THROWN} one threw; else may be null
   */
  public CallFailure(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
