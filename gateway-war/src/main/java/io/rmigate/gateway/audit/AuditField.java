package io.rmigate.gateway.audit;

/**
 * Every field of a line, in the order in which they stand there. None is for what a client passes
 * to a method, for what comes back, or for a credential.
 */
public enum AuditField {
  NUMBER(
      Kind.NUMBER,
      "number",
      "The number of the line, from 1; continues in the next file and after restarts"),
  TIME(Kind.TEXT, "time", "When the entry was made, UTC, RFC 3339"),
  EVENT(Kind.TEXT, "event", "What the line is about, see below"),
  OUTCOME(Kind.TEXT, "outcome", "What came of it, see below"),
  VERDICT(Kind.TEXT, "verdict", "What policy says: `allowed` or `refused`"),
  RULE(
      Kind.TEXT,
      "rule",
      "The rule that has refused it: the word by which `rmigate_refused_total` counts it,"
          + " if that does. Only on refusals, because what is allowed is allowed by all entries"
          + " of `targets` together that name its principal, and its target or the registry that"
          + " has named the target"),
  REASON(
      Kind.TEXT,
      "reason",
      "More about a refusal or failure, for people. Clients see it only where their entry"
          + " of `targets` says `explain`"),
  PLACE(
      Kind.TEXT,
      "place",
      "Where in a message the refused thing stood, as far as that is known: the argument"
          + " (counted from 1), the result or the exception, then fields and elements, such as"
          + " `argument 1: Order.lines[3].price`"),
  REMEDY(
      Kind.TEXT,
      "remedy",
      "What would allow it, for people, as in the log; `policy explain` prints it"),
  REFUSAL(
      Kind.TEXT,
      "refusal",
      "The number of a refusal: six characters, which the client's exception and the log"
          + " have, too"),
  PRINCIPAL(
      Kind.TEXT,
      "principal",
      "The principal. Of a refused login: the name that was claimed, if any"),
  SCHEME(
      Kind.TEXT,
      "scheme",
      "How the principal has logged in: `basic`, `bearer`, `client-certificate`,"
          + " `container`, `anonymous`, or `configured` (`legacy.principal`)"),
  PEER(
      Kind.TEXT,
      "peer",
      "Where the request came from: address and port. Of a callback connection: those of"
          + " the inner JVM"),
  VIA(Kind.TEXT, "via", "The trusted proxy that has named the peer; left out without such a proxy"),
  DOOR(
      Kind.TEXT,
      "door",
      "The entrance: `/tunnel`, `/services`, `/admin`, `/metrics`; of old clients"
          + " `/cgi-bin/java-rmi.cgi`, or nothing for `/`"),
  SESSION(Kind.TEXT, "session", "The session's public name, as in the log and in `/admin`"),
  STREAM(Kind.NUMBER, "stream", "The number of the stream in its session"),
  TARGET(Kind.TEXT, "target", "host:port as the client has asked for it"),
  OBJECT(Kind.TEXT, "object", "The ObjID that is called"),
  INTERFACE(
      Kind.TEXT,
      "interface",
      "The object's interface, as the stub says that has passed to this session. Of a"
          + " service: its contract"),
  METHOD(
      Kind.TEXT,
      "method",
      "The registry operation; or the method, if configured jars or JMX know it, with its"
          + " interface if that is certain. Of a service: its operation. Of a request to admin"
          + " pages: the HTTP method"),
  METHOD_HASH(Kind.HEX, "methodHash", "The method's hash (RMI specification, 8.3)"),
  OPERATION(Kind.NUMBER, "operation", "The method's number, of stubs as old as Java 1.1"),
  NAME(Kind.TEXT, "name", "The name in a registry that a lookup, bind, rebind or unbind is about"),
  CLASS(Kind.TEXT, "class", "The class that a refusal is about"),
  ENDPOINT(Kind.TEXT, "endpoint", "The endpoint that a refusal is about, if it is not the target"),
  PATH(
      Kind.TEXT,
      "path",
      "Of a request: its path below the context path. Of a configuration: its file"),
  STATUS(Kind.NUMBER, "status", "The HTTP status; 0 when the connection broke"),
  REQUEST_BYTES(
      Kind.NUMBER,
      "requestBytes",
      "Size of the request, as far as it has arrived. Of a service: of its body, as far as"
          + " it was read, after decompression"),
  ANSWER_BYTES(
      Kind.NUMBER,
      "answerBytes",
      "Size of what was passed on in answer. Of a service: of its body, before compression"),
  MICROS(
      Kind.NUMBER,
      "micros",
      "Microseconds. Of a call: from its release to the first byte of its answer. Of a"
          + " service: from the request's head to the answer's end"),
  CAUSE(Kind.TEXT, "cause", "Why a session or stream ended: a close cause of PROTOCOL.md"),
  PORT(Kind.NUMBER, "port", "The port of the inner interface"),
  LINES(Kind.NUMBER, "lines", "How many lines were lost since the last such entry"),
  CUT_BYTES(
      Kind.NUMBER,
      "cutBytes",
      "Bytes of an unfinished line, left by a process that died; removed at the start"),
  PREVIOUS(
      Kind.TEXT, "previous", "In the first line of a file or run: the hash of the line before it"),
  HASH(Kind.TEXT, "hash", "The hash of the chain; always last");

  /** How a value is written. */
  enum Kind {
    TEXT,
    NUMBER,
    HEX
  }

  private final Kind kind;
  private final String key;
  private final String meaning;

  AuditField(Kind kind, String key, String meaning) {
    this.kind = kind;
    this.key = key;
    this.meaning = meaning;
  }

  Kind kind() {
    return kind;
  }

  /** Its name in a line. */
  public String key() {
    return key;
  }

  /** For the reference, without the stop at its end. */
  String meaning() {
    return meaning;
  }
}
