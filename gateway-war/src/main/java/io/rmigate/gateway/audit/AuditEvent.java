package io.rmigate.gateway.audit;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What an entry is about. A closed set, and the words of {@code audit.events}. */
public enum AuditEvent {
  /** The audit itself; always kept. */
  AUDIT("The audit itself: a start, a stop, a new file, lines that were lost. Always kept."),
  LOGIN(
      "Somebody has shown a credential. One that is accepted again and again, as with every POST of a"
          + " link, is told of once in ten minutes for each address and door; a refusal each time."),
  DOOR(
      "A request that was refused at the door of the tunnel, or of old clients, before it was part"
          + " of a session: of a web page, from elsewhere, no message, too large, too many, or for"
          + " the connection of somebody else. Or, at any door, one for a host that is none of this"
          + " gateway's (rule `host`). Or one to the tunnel or the web services of which"
          + " nobody was asked whose it is, for nothing new was let in (`audit.when-full`). Always has"
          + " `peer`, `door`, `rule` and `status`, and `principal` and `scheme` where somebody had"
          + " logged in by then."),
  SESSION("An agent's session: opened, resumed, refused or ended."),
  REGISTRY("A lookup, list, bind, rebind or unbind of an agent, let through or refused."),
  CALL("Any other call of an agent, let through or refused: one line a call, when it is over."),
  RAW("A raw stream: refused, or when it is over."),
  SERVICE(
      "A request of a web-service client, SOAP or JSON, when it has been answered. Always has"
          + " `verdict`, `principal`, `scheme`, `peer`, `door`, `path`, `status` and `answerBytes`;"
          + " as a call `target` (the registry of what is published), `name`, `interface`, `method`"
          + " and, once it is known what is to be called, `methodHash`; where it was let in"
          + " `requestBytes` and `micros`; `rule`, `reason`, `class` and `endpoint` as far as they"
          + " apply. Never `session`, `stream`, `object` or `operation`."),
  CALLBACK_PORT("A port of the inner interface: given to an agent, refused to it, given back."),
  CALLBACK_CONNECTION(
      "A connection of an inner JVM to such a port: accepted or refused, or refused after that, since"
          + " what came by it was not JRMP."),
  CALLBACK_CALL(
      "A call of an inner JVM to an object of an agent's: one line a call, when it is over or has"
          + " been refused. The one who answers is the agent's JVM, there where outcomes say server."),
  LEASE(
      "Objects that an agent's JVM wants to hold and may not: one line for each endpoint in a"
          + " session."),
  GRANT(
      "A grant of an earlier session that counts for nothing: one line for the first in a session."),
  ADMIN(
      "Somebody has read, or was not let read, the admin pages or the metrics, or has ended something"
          + " there: `reason` says what."),
  CONFIGURATION("The configuration has changed: it is in force, or was refused.");

  private final String meaning;

  AuditEvent(String meaning) {
    this.meaning = meaning;
  }

  /** As it stands in a line and in the configuration. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  String meaning() {
    return meaning;
  }

  /** The event of that word. */
  public static Optional<AuditEvent> of(String word) {
    return Stream.of(values()).filter(event -> event.word().equals(word)).findFirst();
  }
}
