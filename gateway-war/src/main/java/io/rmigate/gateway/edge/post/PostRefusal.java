package io.rmigate.gateway.edge.post;

/** Why a request has no part in a connection. */
enum PostRefusal {
  MALFORMED(400, "This is no request of an rmigate agent."),
  TOO_SLOW(408, "The body did not come in time."),
  OUT_OF_ORDER(409, "A request of this number is not expected."),
  GONE(410, "There is no such connection; begin another one."),
  TOO_LARGE(413, "The body is too large."),
  TOO_MANY(429, "There are too many connections of this login."),
  FULL(503, "There are too many connections, or requests, at a time.");

  private final int status;
  private final String text;

  PostRefusal(int status, String text) {
    this.status = status;
    this.text = text;
  }

  int status() {
    return status;
  }

  String text() {
    return text;
  }
}
