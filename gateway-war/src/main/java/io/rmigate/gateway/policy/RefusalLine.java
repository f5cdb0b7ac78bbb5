package io.rmigate.gateway.policy;

/**
 * The line of the log about a refusal. All have this form, so that one search finds them; the
 * logger adds date and time with the zone.
 *
 * <pre>
 *   TARGET: WHAT of principal NAME refused: REASON in PLACE; ADVICE; refusal NUMBER, session ID from ADDRESS
 * </pre>
 *
 * <p>All texts are fit for a log.
 *
 * @param target host and port, or the door of the gateway
 * @param what was refused, such as a call with its interface and method
 * @param principal empty without a login
 * @param session empty: there is none
 * @param peer address and port
 */
public record RefusalLine(
    String target, String what, String principal, Refusal refusal, String session, String peer) {

  @Override
  public String toString() {
    return target
        + ": "
        + what
        + " of "
        + (principal.isEmpty() ? "a client without a login" : "principal " + principal)
        + " refused: "
        + refusal.explanation()
        + "; refusal "
        + refusal.number()
        + (session.isEmpty() ? ", " : ", session " + session + " ")
        + "from "
        + peer;
  }
}
