package io.rmigate.gateway.legacy;

/**
 * Why a request is not taken. Old clients look at nothing but that the status is not 200: their
 * call fails with an IOException.
 */
public enum LegacyRefusal {
  MALFORMED(400, "This is no JRMP message of the single-operation protocol."),
  NO_TARGET(400, "Host and port of an RMI server are expected: in Host, or in ?forward=PORT."),
  FOREIGN(403, "Web pages have no part in this."),
  NOT_FROM_HERE(403, "Not from this address."),
  TOO_SLOW(408, "The body did not come in time."),
  TOO_LARGE(413, "The body is too large."),
  OTHER_TYPE(415, "The type of the body must be application/octet-stream."),
  FULL(503, "There are too many requests at a time.");

  private final int status;
  private final String text;

  LegacyRefusal(int status, String text) {
    this.status = status;
    this.text = text;
  }

  /** Of HTTP. */
  public int status() {
    return status;
  }

  /** For people. */
  public String text() {
    return text;
  }
}
