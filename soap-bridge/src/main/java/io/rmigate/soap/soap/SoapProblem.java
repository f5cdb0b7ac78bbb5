package io.rmigate.soap.soap;

import io.rmigate.soap.call.CallFailure;
import java.util.Locale;

/**
 * A failure that is no exception declared by the published interface, as its client sees it.
 *
 * @param text for people; says nothing about the inside
 */
record SoapProblem(Kind kind, String text) {
  /** The side that is at fault: the code of the SOAP fault. */
  enum Side {
    SENDER("Client", "Sender"),
    RECEIVER("Server", "Receiver"),
    VERSION("VersionMismatch", "VersionMismatch"),
    HEADER("MustUnderstand", "MustUnderstand");

    private final String soap11;
    private final String soap12;

    Side(String soap11, String soap12) {
      this.soap11 = soap11;
      this.soap12 = soap12;
    }

    /** The local name of the code in SOAP 1.1. */
    String soap11() {
      return soap11;
    }

    /** The local name of the code in SOAP 1.2. */
    String soap12() {
      return soap12;
    }
  }

  /** Each with whether the method was executed; what a client has to know before it tries again. */
  enum Kind {
    BAD_ENVELOPE(Side.SENDER, "no"),
    VERSION_MISMATCH(Side.VERSION, "no"),
    NOT_UNDERSTOOD(Side.HEADER, "no"),
    ADDRESSING(Side.SENDER, "no"),
    ACTION(Side.SENDER, "no"),
    BAD_ARGUMENT(Side.SENDER, "no"),
    NOT_FOUND(Side.SENDER, "no"),
    TOO_LARGE(Side.SENDER, "no"),
    TOO_MANY(Side.RECEIVER, "no"),
    FAILED(Side.RECEIVER, "yes"),
    RESULT(Side.RECEIVER, "yes"),
    TOO_MANY_REFERENCES(Side.RECEIVER, "yes"),
    INTERNAL(Side.RECEIVER, "no"),
    UNREACHABLE(Side.RECEIVER, "no"),
    LOST(Side.RECEIVER, "unknown"),
    TIMED_OUT(Side.RECEIVER, "unknown");

    private final Side side;
    private final String executed;

    Kind(Side side, String executed) {
      this.side = side;
      this.executed = executed;
    }

    /** The side that is at fault. */
    Side side() {
      return side;
    }

    /** Whether it is by itself a refusal: a request that goes no further. */
    boolean isRefusal() {
      return executed.equals("no") && this != UNREACHABLE;
    }

    /** Yes, no or unknown. */
    String executed() {
      return executed;
    }

    /** As a word in the fault's detail; the same as in JSON where JSON has it. */
    String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Undeclared exceptions tell of the inside of a server: clients see that there was one, only. */
  static SoapProblem of(CallFailure failure) {
    return switch (failure.kind()) {
      case THROWN -> new SoapProblem(Kind.FAILED, "The remote object failed.");
      case NOT_PERMITTED -> new SoapProblem(Kind.NOT_FOUND, "There is no such operation.");
      case NOT_SENDABLE ->
          new SoapProblem(Kind.INTERNAL, "The arguments cannot be sent to the remote object.");
      case UNREACHABLE -> new SoapProblem(Kind.UNREACHABLE, "The remote object cannot be reached.");
      case LOST ->
          new SoapProblem(Kind.LOST, "The connection was lost; the call may have been executed.");
      case TIMED_OUT ->
          new SoapProblem(
              Kind.TIMED_OUT, "There was no answer in time; the call may have been executed.");
      case ANSWER_REFUSED -> result();
      case TOO_MANY -> new SoapProblem(Kind.TOO_MANY, "Nothing was executed.");
    };
  }

  /** The problem of an answer that failed after the call had been executed. */
  static SoapProblem ofAnswer(Throwable failure) {
    return failure.getCause() instanceof CallFailure held
            && held.kind() == CallFailure.Kind.TOO_MANY
        ? new SoapProblem(
            Kind.TOO_MANY_REFERENCES,
            "The call was executed, but there are too many references to remote objects already.")
        : result();
  }

  /** The result cannot be shown. */
  static SoapProblem result() {
    return new SoapProblem(Kind.RESULT, "The call was executed, but its result cannot be shown.");
  }
}
