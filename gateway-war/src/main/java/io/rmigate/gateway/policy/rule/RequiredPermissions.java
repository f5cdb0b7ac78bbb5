package io.rmigate.gateway.policy.rule;

import io.rmigate.gateway.policy.rule.Objection.Rule;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What entries of {@code targets} have to say for a call that passes, be it said already or not:
 * mode {@code learn} notes it, so that entries can be written that permit this and nothing else.
 * What a call carries is not among it: {@code CallRules} object to that.
 */
public final class RequiredPermissions {
  /** Where notes say that something was sent by, or to, objects of the principal's own. */
  public static final String CALLBACKS = "callbacks";

  /** Where notes say that an object was called, or leased, that the session was not given. */
  static final String NOT_GIVEN = "that no server had given";

  public static final String OTHER_TARGET = "an entry for where that is, by hand";

  /** The prefix of the number of a port that a client's JVM asks for. */
  static final String PORT = "port ";

  /** The advised change for a port that a client's JVM asks for. */
  static final String EXPLICIT = "explicit in callbacks.allow";

  public static final String NEW_PORTS = "new-ports: true";

  private RequiredPermissions() {}

  /**
   * To ask a registry.
   *
   * @param name what for; empty where it is for nothing in particular
   */
  public static List<Objection> operation(RegistryOperation operation, Optional<String> name) {
    List<Objection> needs = new ArrayList<>(2);
    String word = operation.name().toLowerCase(Locale.ROOT);
    needs.add(new Objection(Rule.OPERATION, word, "registry: [" + word + "]"));
    name.ifPresent(
        text -> {
          boolean isWhole = Objection.printable(text).equals(text);
          needs.add(new Objection(Rule.NAME, text, isWhole ? "names: ['" + text + "']" : ""));
        });
    return needs;
  }

  /** The permission to reach an endpoint that only the client has named. */
  public static Objection target(String target) {
    return new Objection(Rule.TARGET, target, "allow: ['" + target + "']");
  }

  /** The permission to reach a target that an operator has to write by hand. */
  public static Objection otherTarget(String target) {
    return new Objection(Rule.TARGET, target, OTHER_TARGET);
  }

  /** No further permission to reach an object that a registry has named. */
  public static Objection namedBy(String registry) {
    return new Objection(Rule.TARGET, registry, "");
  }

  /** The permission to reach an endpoint from a server that a registry has named. */
  public static Objection newPort(String registry) {
    return new Objection(Rule.TARGET, registry, NEW_PORTS);
  }

  /** The permission to be called back: an object of the principal's own has been passed on. */
  public static Objection callbacks() {
    return new Objection(Rule.REFERENCE, CALLBACKS, "");
  }

  /** The permission to listen at that port for an object of the principal's own. */
  public static Objection callbackPort(int port) {
    return new Objection(Rule.REFERENCE, PORT + port, EXPLICIT);
  }

  /** The permission to take a lease of an object that no server has given. */
  public static Objection anyObjects() {
    return new Objection(Rule.OBJECT, NOT_GIVEN, ObjectRule.ANY_OBJECTS);
  }

  /** The permission to send a call of that length, where the configuration sets no limit. */
  public static Optional<Objection> length(long bytes) {
    return bytes > ClassSettings.CALL_LIMIT
        ? Optional.of(
            new Objection(
                Rule.UNREADABLE,
                LengthRule.TOO_LONG,
                bytes <= LengthRule.LONG_CALL_BYTES ? LengthRule.LONG_CALLS : LengthRule.STREAM))
        : Optional.empty();
  }

  /** The permission to send a call that has begun and is too long to be gathered. */
  public static Objection stream() {
    return new Objection(Rule.UNREADABLE, LengthRule.TOO_LONG, LengthRule.STREAM);
  }
}
