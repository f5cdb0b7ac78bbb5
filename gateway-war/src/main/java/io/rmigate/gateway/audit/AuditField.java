package io.rmigate.gateway.audit;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Every field of a line, in the order in which they stand there. None is for what a client passes
 * to a method, for what comes back, or for a credential.
 */
public enum AuditField {
  NUMBER(Kind.NUMBER, "number", "Of the line, from 1; goes on in the next file and after restarts"),
  TIME(Kind.TEXT, "time", "When the entry was made, UTC, RFC 3339"),
  EVENT(Kind.TEXT, "event", "What it is about, see below"),
  OUTCOME(Kind.TEXT, "outcome", "What has come of it, see below"),
  VERDICT(Kind.TEXT, "verdict", "What policy says: `allowed` or `refused`"),
  RULE(
      Kind.TEXT,
      "rule",
      "Which rule has refused it; the word by which `rmigate_refused` counts it, where that does."
          + " On refusals only: what is allowed is so by all entries of `targets` together that name"
          + " its principal, and its target or the registry that has named that"),
  REASON(
      Kind.TEXT,
      "reason",
      "More about a refusal or failure, for people; clients see it only where their entry of `targets`"
          + " says `explain`"),
  PLACE(
      Kind.TEXT,
      "place",
      "Where in a message stood what was refused, as far as that is known: the argument (counted from"
          + " 1), the result or the exception, then fields and elements, such as"
          + " `argument 1: Order.lines[3].price`"),
  REMEDY(
      Kind.TEXT,
      "remedy",
      "What would allow what was refused, for people, as the log says it; `policy explain` prints it"),
  REFUSAL(
      Kind.TEXT,
      "refusal",
      "The number of a refusal: six characters, which the client's exception and the log have, too"),
  PRINCIPAL(Kind.TEXT, "principal", "Who. Of a refused login: the name that was claimed, if any"),
  SCHEME(
      Kind.TEXT,
      "scheme",
      "How that was proven: `basic`, `bearer`, `client-certificate`,"
          + " `container`, `anonymous`, or `configured` (`legacy.principal`)"),
  PEER(Kind.TEXT, "peer", "From where: address and port; of a callback connection the inner JVM's"),
  VIA(
      Kind.TEXT,
      "via",
      "The trusted proxy whose word that is; left out where nobody stands between"),
  DOOR(
      Kind.TEXT,
      "door",
      "Which way in: `/tunnel`, `/services`, `/admin`, `/metrics`; of old clients"
          + " `/cgi-bin/java-rmi.cgi`, or nothing for `/`"),
  SESSION(Kind.TEXT, "session", "The session's public name, as in the log and in `/admin`"),
  STREAM(Kind.NUMBER, "stream", "Number of the stream in its session"),
  TARGET(Kind.TEXT, "target", "host:port as the client has asked for it"),
  OBJECT(Kind.TEXT, "object", "The ObjID that is called"),
  INTERFACE(
      Kind.TEXT,
      "interface",
      "What the stub that has passed to this session says the object is; of a service its"
          + " contract"),
  METHOD(
      Kind.TEXT,
      "method",
      "The registry operation; the method where configured jars or JMX know it, with its interface"
          + " if that is certain; of a service its operation; of a request to admin pages HTTP's"),
  METHOD_HASH(Kind.HEX, "methodHash", "The method's hash (RMI specification, 8.3)"),
  OPERATION(Kind.NUMBER, "operation", "And its number, of stubs as old as Java 1.1"),
  NAME(Kind.TEXT, "name", "Which name of a registry a lookup, bind, rebind or unbind is about"),
  CLASS(Kind.TEXT, "class", "Which class a refusal is about"),
  ENDPOINT(Kind.TEXT, "endpoint", "Which endpoint a refusal is about, if not the target"),
  PATH(Kind.TEXT, "path", "Of a request, below the context path; of a configuration its file"),
  STATUS(Kind.NUMBER, "status", "Of HTTP; 0 when the connection broke"),
  REQUEST_BYTES(
      Kind.NUMBER,
      "requestBytes",
      "Size of the request, as far as it has come;"
          + " of a service of its body, as far as it was read, after decompression"),
  ANSWER_BYTES(
      Kind.NUMBER,
      "answerBytes",
      "Size of what was passed on in answer; of" + " a service of its body, before compression"),
  MICROS(
      Kind.NUMBER,
      "micros",
      "Microseconds: of a call from its release to the first byte of its answer, of a service from"
          + " the request's head to the answer's end"),
  CAUSE(Kind.TEXT, "cause", "Why a session or stream ended: a close cause of PROTOCOL.md"),
  PORT(Kind.NUMBER, "port", "Of the inner interface"),
  LINES(Kind.NUMBER, "lines", "How many lines were lost since the last such entry"),
  CUT_BYTES(
      Kind.NUMBER,
      "cutBytes",
      "Bytes of a line that was never finished, since the process died; removed at the start"),
  PREVIOUS(
      Kind.TEXT, "previous", "In the first line of a file or run: the hash of the line before it"),
  HASH(Kind.TEXT, "hash", "Of the chain, see below; always last");

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

  /** The tables of docs/reference/audit.md, in Markdown. */
  static String tables() {
    return table("field", Stream.of(values()).map(f -> new String[] {f.key, f.meaning + "."}))
        + "\n"
        + table(
            "event", Stream.of(AuditEvent.values()).map(e -> new String[] {e.word(), e.meaning()}))
        + "\n"
        + table(
            "outcome",
            Stream.of(AuditOutcome.values()).map(o -> new String[] {o.word(), o.meaning()}));
  }

  private static String table(String of, Stream<String[]> rows) {
    return rows.map(row -> "| `%s` | %s |".formatted(row[0], row[1]))
        .collect(Collectors.joining("\n", "| " + of + " | meaning |\n|---|---|\n", "\n"));
  }
}
