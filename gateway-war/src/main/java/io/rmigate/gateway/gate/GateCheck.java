package io.rmigate.gateway.gate;

import java.util.List;
import java.util.function.Predicate;

/**
 * The checks of a request, in their order. The first check that a request fails refuses it; later
 * ones are not asked. A call that is gathered and one that passes while it comes are checked in the
 * same order.
 *
 * <p>The checks up to {@link #ROUTE} need no more than the beginning of a request. They are asked
 * when it is to be known how much of a request is gathered, and again when it has come.
 */
public enum GateCheck {
  /** The login of the session has not expired. */
  LOGIN(GateRequest::login),
  /** The audit can be written. */
  AUDIT(GateRequest::audit),
  /** The caller is not locked out. */
  LOCKOUT(GateRequest::lockout),
  /** The deadline that the agent has set is not over. */
  DEADLINE(GateRequest::deadline),
  /** The endpoint is a target that policy permits, or was handed out by a registry. */
  ROUTE(GateRequest::route),
  /** A DGC call takes leases of objects that the session was given, within the caller's bounds. */
  COLLECTOR(GateRequest::collector),
  /** A gathered call has at most {@code call-limit} bytes. */
  LENGTH(GateRequest::length),
  /** The request is exactly one JRMP message, with a registry operation that policy permits. */
  FORM(GateRequest::form),
  /** The called object was given to the session. */
  OBJECT(GateRequest::object),
  /** The method, then classes and shapes, references and proxies in the arguments. */
  CONTENTS(GateRequest::contents),
  /** No other call of the stream waits for its answer. */
  TURN(GateRequest::turn),
  /** The argument of a registry operation is just a name, and the name is permitted. */
  NAME(GateRequest::name),
  /** One more call is within the limits of calls. */
  LIMIT(GateRequest::limit);

  /** Without the copy that {@link #values} makes. */
  private static final List<GateCheck> IN_ORDER = List.of(values());

  private final Predicate<GateRequest> question;

  GateCheck(Predicate<GateRequest> question) {
    this.question = question;
  }

  /** Whether a request passes the checks that need its beginning only. */
  public static boolean passesBeginning(GateRequest request) {
    return passes(request, LOGIN, ROUTE);
  }

  /** Whether a request that has passed {@link #passesBeginning} passes the others. */
  public static boolean passesRest(GateRequest request) {
    return passes(request, COLLECTOR, LIMIT);
  }

  private static boolean passes(GateRequest request, GateCheck first, GateCheck last) {
    for (int i = first.ordinal(); i <= last.ordinal(); i++) {
      if (!IN_ORDER.get(i).question.test(request)) {
        return false;
      }
    }
    return true;
  }
}
