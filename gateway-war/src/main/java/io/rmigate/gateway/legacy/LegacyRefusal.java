package io.rmigate.gateway.legacy;

/**
 * Why a request is not taken. Old clients look at nothing but that the status is not 200: their
 * call fails with an IOException.
 */
public enum LegacyRefusal {
  MALFORMED(400, "bad-request", "This is no JRMP message of the single-operation protocol."),
  NO_TARGET(
      400,
      "legacy-target",
      "Host and port of an RMI server are expected: in Host, or in ?forward=PORT."),
  FOREIGN(403, "legacy-web-page", "Web pages have no part in this."),
  NOT_FROM_HERE(403, "legacy-address", "Not from this address."),
  TOO_SLOW(408, "legacy-slow", "The body did not come in time."),
  TOO_LARGE(413, "legacy-large", "The body is too large."),
  OTHER_TYPE(415, "legacy-type", "The type of the body must be application/octet-stream."),
  FULL(503, "legacy-full", "There are too many requests at a time.");

  private final int status;
  private final String rule;
  private final String text;

  LegacyRefusal(int status, String rule, String text) {
    this.status = status;
    this.rule = rule;
    this.text = text;
  }

  /** The HTTP status. */
  public int status() {
    return status;
  }

  /** The word for metrics and audit. */
  public String rule() {
    return rule;
  }

  /** For people. */
  public String text() {
    return text;
  }
}
