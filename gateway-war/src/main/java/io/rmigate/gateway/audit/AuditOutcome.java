package io.rmigate.gateway.audit;

import io.rmigate.protocol.jrmp.Jrmp;
import java.nio.ByteBuffer;
import java.util.Locale;

/** Outcomes of audited events. A closed set. */
public enum AuditOutcome {
  STARTED("The gateway writes from here on."),
  STOPPED("The gateway has been stopped in good order."),
  ROTATED("This file continues where the previous one ends."),
  LOST("Lines could not be kept; `lines` has their number."),

  ACCEPTED("Accepted."),
  REFUSED(
      "Refused by policy, a bound or a wrong credential. Nothing of it has reached a"
          + " server, unless `reason` begins with `reply:`: then the server has executed it."),
  LOCKED("Refused because of too many wrong passwords before, even with the right one."),

  OPENED("Opened."),
  RESUMED("A session continues over another link."),
  ENDED("It is over; `cause` says why."),

  PERMITTED("Let through. The gateway does not see, or does not wait for, what comes of it."),
  RETURNED("The server has answered with a value."),
  THREW("The server has answered with an exception."),
  ANSWERED("The server has answered with a value or an exception; which of them is not known."),
  NOT_CONNECTED(
      "No connection to the server, which has not seen the call. Of a service also: its"
          + " registry does not answer, or has no such name."),
  SERVER_CLOSED(
      "The server has closed the connection without an answer. It may have executed the"
          + " call."),
  TIMED_OUT("No answer in time. The server may have executed the call."),
  ABANDONED("The client did not wait for the answer. The server may have executed the call."),

  RELOADED("The changed configuration is in force.");

  /** Behind the code of a Return, the header of its stream and that of its first block. */
  private static final int RETURN_KIND_AT = 7;

  private final String meaning;

  AuditOutcome(String meaning) {
    this.meaning = meaning;
  }

  /**
   * The outcome of a Return that arrives in pieces.
   *
   * @param passed bytes of the Return before this piece
   * @param before the outcome known before this piece
   */
  public static AuditOutcome ofReturn(ByteBuffer bytes, long passed, AuditOutcome before) {
    long kindIn = RETURN_KIND_AT - passed;
    if (kindIn < 0 || kindIn >= bytes.remaining()) {
      return before;
    }
    return switch (bytes.get(bytes.position() + (int) kindIn)) {
      case Jrmp.NORMAL_RETURN -> RETURNED;
      case Jrmp.EXCEPTIONAL_RETURN -> THREW;
      default -> ANSWERED;
    };
  }

  /** The word of this outcome in an audit line. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  String meaning() {
    return meaning;
  }
}
