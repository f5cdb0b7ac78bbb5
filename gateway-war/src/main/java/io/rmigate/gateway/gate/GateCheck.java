package io.rmigate.gateway.gate;

import java.util.EnumSet;
import java.util.List;

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
  LOGIN,
  /** The audit can be written. */
  AUDIT,
  /** The caller is not locked out. */
  LOCKOUT,
  /** The deadline that the agent has set is not over. */
  DEADLINE,
  /** The endpoint is a target that policy permits, or was handed out by a registry. */
  ROUTE,
  /** A DGC call takes leases of objects that the session was given, within the caller's bounds. */
  COLLECTOR,
  /** A gathered call has at most {@code call-limit} bytes. */
  LENGTH,
  /** The request is exactly one JRMP message, with a registry operation that policy permits. */
  FORM,
  /** The called object was given to the session. */
  OBJECT,
  /** The method, then classes and shapes, references and proxies in the arguments. */
  CONTENTS,
  /** No other call of the stream waits for its answer. */
  TURN,
  /** The argument of a registry operation is just a name, and the name is permitted. */
  NAME,
  /** One more call is within the limits of calls. */
  LIMIT;

  private static final List<GateCheck> OF_BEGINNING = List.copyOf(EnumSet.range(LOGIN, ROUTE));
  private static final List<GateCheck> OF_REST = List.copyOf(EnumSet.range(COLLECTOR, LIMIT));

  /** Whether a request passes the checks that need its beginning only. */
  public static boolean passesBeginning(GateRequest request) {
    return passesAll(OF_BEGINNING, request);
  }

  /** Whether a request that has passed {@link #passesBeginning} passes the others. */
  public static boolean passesRest(GateRequest request) {
    return passesAll(OF_REST, request);
  }

  private static boolean passesAll(List<GateCheck> checks, GateRequest request) {
    for (int i = 0; i < checks.size(); i++) { // without an iterator for each call
      if (!checks.get(i).passes(request)) {
        return false;
      }
    }
    return true;
  }

  private boolean passes(GateRequest request) {
    return switch (this) {
      case LOGIN -> request.login();
      case AUDIT -> request.audit();
      case LOCKOUT -> request.lockout();
      case DEADLINE -> request.deadline();
      case ROUTE -> request.route();
      case COLLECTOR -> request.collector();
      case LENGTH -> request.length();
      case FORM -> request.form();
      case OBJECT -> request.object();
      case CONTENTS -> request.contents();
      case TURN -> request.turn();
      case NAME -> request.name();
      case LIMIT -> request.limit();
    };
  }
}
