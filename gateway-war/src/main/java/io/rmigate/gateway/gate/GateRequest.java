package io.rmigate.gateway.gate;

/**
 * A request at the gate, with one question for each {@link GateCheck}. A method returns whether the
 * request passes the check; a request that does not pass has been refused when it returns.
 */
public interface GateRequest {
  /** See {@link GateCheck#LOGIN}. */
  boolean login();

  /** See {@link GateCheck#AUDIT}. */
  boolean audit();

  /** See {@link GateCheck#LOCKOUT}. */
  boolean lockout();

  /** See {@link GateCheck#DEADLINE}. */
  boolean deadline();

  /** See {@link GateCheck#ROUTE}. */
  boolean route();

  /** See {@link GateCheck#COLLECTOR}. */
  boolean collector();

  /** See {@link GateCheck#LENGTH}. */
  boolean length();

  /** See {@link GateCheck#FORM}. */
  boolean form();

  /** See {@link GateCheck#OBJECT}. */
  boolean object();

  /** See {@link GateCheck#CONTENTS}. */
  boolean contents();

  /** See {@link GateCheck#TURN}. */
  boolean turn();

  /** See {@link GateCheck#NAME}. */
  boolean name();

  /** See {@link GateCheck#LIMIT}. */
  boolean limit();
}
