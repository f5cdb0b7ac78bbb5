package io.rmigate.client.deadline;

import java.net.SocketTimeoutException;
import java.time.Duration;

/**
 * A call has taken longer than it may. Found inside of {@code java.rmi.UnmarshalException} (the
 * call may have been executed), {@code java.rmi.MarshalException} (a long call was under way) or
 * {@code java.rmi.ConnectIOException} (there was no link to send it by). A call that was certainly
 * not sent on a connection there was already fails with {@code java.rmi.ConnectIOException} too,
 * but around a plain {@link SocketTimeoutException} with the same text: that exception comes as if
 * from the server, and the caller's classes and filters must be able to read it.
 *
 * <p>The three durations add up to what the call has taken: until its first bytes were handed to a
 * link, until the gateway had a connection to the server, and from then on. Where the gateway has
 * said nothing the second is zero.
 */
public final class CallTimeoutException extends SocketTimeoutException {
  private static final long serialVersionUID = 1L;

  /** The phase in which a call ran out of time. */
  public enum Phase {
    /** Waiting for the gateway: there is no link, or the link takes nothing or is silent. */
    LINK("waiting for the link to the rmigate gateway"),
    /** Waiting for the gateway's connection to the server. */
    CONNECT("waiting for the connection to the server"),
    /** Waiting for the server's answer, or the rest of it. */
    ANSWER("waiting for the answer of the server");

    private final String words;

    Phase(String words) {
      this.words = words;
    }
  }

  private final Phase phase;
  private final String target;
  private final Duration limit;
  private final Duration forLink;
  private final Duration forConnect;
  private final Duration forAnswer;
  private final boolean mayHaveBeenExecuted;

  CallTimeoutException(
      Phase phase,
      String target,
      Duration limit,
      Duration forLink,
      Duration forConnect,
      Duration forAnswer,
      boolean mayHaveBeenExecuted) {
    super(
        "the call to %s took longer than %d ms, %s (link %d ms, connection %d ms, answer %d ms); it %s"
            .formatted(
                target,
                limit.toMillis(),
                phase.words,
                forLink.toMillis(),
                forConnect.toMillis(),
                forAnswer.toMillis(),
                mayHaveBeenExecuted ? "may have been executed" : "was not executed"));
    this.phase = phase;
    this.target = target;
    this.limit = limit;
    this.forLink = forLink;
    this.forConnect = forConnect;
    this.forAnswer = forAnswer;
    this.mayHaveBeenExecuted = mayHaveBeenExecuted;
  }

  /** The phase in which the call ran out of time. */
  public Phase phase() {
    return phase;
  }

  /** The server's endpoint, {@code host:port} as in the stub. */
  public String target() {
    return target;
  }

  /** How long the call was allowed to take. */
  public Duration limit() {
    return limit;
  }

  /** Until the first bytes of the call were handed to a link. */
  public Duration forLink() {
    return forLink;
  }

  /** Until the gateway had a connection to the server, as far as the gateway has said so. */
  public Duration forConnect() {
    return forConnect;
  }

  /** The rest. */
  public Duration forAnswer() {
    return forAnswer;
  }

  /**
   * Whether the server may have executed the call, or may yet; false if it certainly never will.
   */
  public boolean mayHaveBeenExecuted() {
    return mayHaveBeenExecuted;
  }
}
