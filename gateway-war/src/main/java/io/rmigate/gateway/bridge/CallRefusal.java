package io.rmigate.gateway.bridge;

import io.rmigate.gateway.bridge.marshal.AnswerRefusedException;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.relay.own.OwnCallException;
import io.rmigate.gateway.route.PolicyRefusal;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.soap.call.CallFailure;
import java.rmi.RemoteException;
import java.util.Optional;

/**
 * Why policy or a bound lets a call, or its answer, go no further: in the words in which a tunnel's
 * refusals are audited, and without a text that a server has chosen.
 *
 * @param className which class it is about; empty: none
 * @param endpoint of the refused reference; empty: none
 * @param advice what would allow it; empty where nothing is to be said of that
 */
public record CallRefusal(
    String rule, String reason, String className, String endpoint, String advice) {
  /** Begins the reason of a refused answer: the server has executed the call. */
  private static final String REPLY = "reply: ";

  private static final String ADVICE_OF_CLASSES =
      "to allow it put the jar of the class among those of the published object, or have the server"
          + " answer with values of the JDK";

  private static final String UNREADABLE = "unreadable";

  private CallRefusal(String rule, String reason) {
    this(rule, reason, "", "", "");
  }

  /** With a number of its own. */
  public Refusal numbered() {
    return Refusal.of(reason, advice);
  }

  /** Empty when a call that failed was not refused. */
  public static Optional<CallRefusal> of(CallFailure failure) {
    return switch (failure.kind()) {
      case NOT_PERMITTED -> Optional.of(byPolicy(failure));
      case NOT_SENDABLE -> Optional.of(new CallRefusal("bad-request", failure.getMessage()));
      case TOO_MANY -> Optional.of(new CallRefusal("service-too-many", failure.getMessage()));
      case UNREACHABLE -> onTheWay(failure);
      case ANSWER_REFUSED -> Optional.of(ofAnswer(failure));
      case THROWN -> refusedAnswer(failure).map(answer -> ofAnswer(REPLY, answer));
      case LOST, TIMED_OUT -> Optional.empty();
    };
  }

  private static CallRefusal byPolicy(CallFailure failure) {
    return failure.getCause() instanceof PolicyRefusal policy
        ? new CallRefusal(
            policy.rule(), policy.getMessage(), "", policy.endpoint(), policy.advice())
        : new CallRefusal("target", failure.getMessage());
  }

  private static Optional<CallRefusal> onTheWay(CallFailure failure) {
    Optional<AnswerRefusedException> refused = refusedAnswer(failure);
    if (refused.isPresent()) {
      return Optional.of(ofAnswer("lookup: ", refused.get()));
    }
    return failure.getCause() instanceof OwnCallException inside
            && inside
                .failure()
                .refusal()
                .filter(RefusalReason.TARGET_NOT_PERMITTED::equals)
                .isPresent()
        ? Optional.of(new CallRefusal("address", failure.getMessage()))
        : Optional.empty();
  }

  /** An exception that is not let in is there as the detail of one that stands for it. */
  private static Optional<AnswerRefusedException> refusedAnswer(CallFailure failure) {
    Throwable cause = failure.getCause();
    // Not by getCause, which a class of the publication might have in its own way.
    Throwable refused = cause instanceof RemoteException remote ? remote.detail : cause;
    return refused instanceof AnswerRefusedException answer
        ? Optional.of(answer)
        : Optional.empty();
  }

  private static CallRefusal ofAnswer(CallFailure failure) {
    Throwable cause = failure.getCause();
    if (cause instanceof AnswerRefusedException answer) {
      return ofAnswer(REPLY, answer);
    }
    if (cause == null) {
      return new CallRefusal("reference", REPLY + failure.getMessage());
    }
    return new CallRefusal(
        UNREADABLE,
        REPLY + (cause instanceof OwnCallException ? failure.getMessage() : UNREADABLE));
  }

  private static CallRefusal ofAnswer(String what, AnswerRefusedException answer) {
    return new CallRefusal(
        answer.className().isEmpty() ? UNREADABLE : "class",
        what + answer.what(),
        answer.className(),
        "",
        answer.className().isEmpty() ? "" : ADVICE_OF_CLASSES);
  }
}
