package io.rmigate.gateway.audit;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The events that audit entries are about. A closed set, and the words of {@code audit.events}. */
public enum AuditEvent {
  /** The audit itself; always kept. */
  AUDIT("The audit itself: a start, a stop, a new file, lines that were lost. Always kept."),
  LOGIN(
      "A client has shown a credential. An accepted one that is shown again and again, as"
          + " with every POST of a link, has one line in ten minutes for each address and door; a"
          + " refused one has a line each time."),
  DOOR(
      "A request that was refused at the entrance of the tunnel, or of old clients, before"
          + " it was part of a session: of a web page, from a wrong address, no message, too"
          + " large, too many, or for another client's connection. At any door: a request for a"
          + " host that is not this gateway's (rule `host`). A request to the tunnel or the web"
          + " services whose login was not checked, because nothing new was accepted"
          + " (`audit.when-full`). Always has `peer`, `door`, `rule` and `status`, and"
          + " `principal` and `scheme` after a login."),
  SESSION("An agent's session: opened, resumed, refused or ended."),
  REGISTRY("A lookup, list, bind, rebind or unbind of an agent, let through or refused."),
  CALL(
      "Any other call of an agent, let through or refused: one line a call, when it is" + " over."),
  RAW("A raw stream: refused, or over."),
  SERVICE(
      "A request of a web-service client, SOAP or JSON, when it has been answered. Always"
          + " has `verdict`, `principal`, `scheme`, `peer`, `door`, `path`, `status` and"
          + " `answerBytes`. Like a call it has `target` (the registry of what is published),"
          + " `name`, `interface`, `method` and, once it is known what is to be called,"
          + " `methodHash`. If it was accepted it has `requestBytes` and `micros`. It has `rule`,"
          + " `reason`, `class` and `endpoint` as far as they apply, and never `session`,"
          + " `stream`, `object` or `operation`."),
  CALLBACK_PORT("A port of the inner interface: given to an agent, refused to it, or returned."),
  CALLBACK_CONNECTION(
      "A connection of an inner JVM to such a port: accepted or refused, or refused later,"
          + " because it did not carry JRMP."),
  CALLBACK_CALL(
      "A call of an inner JVM to an object of an agent: one line a call, when it is over or"
          + " has been refused. The agent's JVM answers it; it is the server of the outcomes."),
  LEASE(
      "Objects that an agent's JVM wants to hold and may not: one line for each endpoint in"
          + " a session."),
  GRANT(
      "A grant of an earlier session that does not count: one line for the first in a"
          + " session."),
  ADMIN(
      "A principal has read the admin pages or the metrics, or was refused, or has ended"
          + " something there: `reason` says what."),
  CONFIGURATION("The configuration has changed: the change is in force, or was refused.");

  private final String meaning;

  AuditEvent(String meaning) {
    this.meaning = meaning;
  }

  /** The word of this event in an audit line and in the configuration. */
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
