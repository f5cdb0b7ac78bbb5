package io.rmigate.gateway.edge.post;

/** Why a request has no part in a connection. */
enum PostRefusal {
  MALFORMED(400, "bad-request", "This is no request of an rmigate agent."),
  TOO_SLOW(408, "post-slow", "The body did not come in time."),
  OUT_OF_ORDER(409, "", "A request of this number is not expected."),
  GONE(410, "", "There is no such connection; begin another one."),

  /** Looks like a missing connection, so that connections of other principals stay hidden. */
  OTHERS(GONE.status, "post-connection", GONE.text),
  TOO_LARGE(413, "post-large", "The body is too large."),
  TOO_MANY(429, "post-principal", "There are too many connections of this login."),
  FULL(503, "post-full", "There are too many connections, or requests, at a time.");

  private final int status;
  private final String rule;
  private final String text;

  PostRefusal(int status, String rule, String text) {
    this.status = status;
    this.rule = rule;
    this.text = text;
  }

  int status() {
    return status;
  }

  /** The word for the audit; empty for what happens to honest agents whose link was cut. */
  String rule() {
    return rule;
  }

  /** Whether its agent must not know that it is a refusal: not by a number, either. */
  boolean isHidden() {
    return this == OTHERS;
  }

  /** For people inside. */
  String reason() {
    return this == OTHERS ? "the connection belongs to another principal" : text;
  }

  String text() {
    return text;
  }
}
