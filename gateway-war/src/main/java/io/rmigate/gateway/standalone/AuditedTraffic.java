package io.rmigate.gateway.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditField;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.rule.LearnedNotes;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Judges the calls of an audit by a policy: their targets, operations of registries, names, methods
 * and sizes. What they carried is in no audit, but for the class or the reference for which one was
 * refused.
 */
final class AuditedTraffic {
  private static final int NO_OPERATION = -1;

  /** Rules that refuse operations of registries. */
  private static final Set<String> REGISTRY_RULES =
      Set.of("target", "registry-operation", "registry-name");

  /** Rules that refuse other calls, where the audit line says all about the call. */
  private static final Set<String> CALL_RULES = Set.of("target", "method");

  /**
   * One kind of call.
   *
   * @param what is called
   * @param refusal why it would not pass; empty when it would
   * @param passedThen else it was refused
   * @param needsRegistry whether it passes only in sessions to which a registry has named the
   *     target, which no entry does
   */
  record Judged(
      String principal,
      String target,
      String what,
      String refusal,
      boolean passedThen,
      boolean needsRegistry) {
    Judged(String principal, String target, String what, String refusal, boolean passedThen) {
      this(principal, target, what, refusal, passedThen, false);
    }

    boolean isRefused() {
      return !refusal.isEmpty();
    }

    /** Whether the audited request passed and the new rules refuse it. */
    boolean isLost() {
      return passedThen && isRefused();
    }

    @Override
    public String toString() {
      return "%s %s at %s by %s%s%s%s"
          .formatted(
              isRefused() ? "refused" : "allowed",
              what,
              target,
              principal,
              passedThen ? "" : " (refused then)",
              needsRegistry ? ", if a registry names that target, because no entry does" : "",
              isRefused() ? ": " + refusal : "");
    }
  }

  private final TargetPolicy policy;
  private final Optional<String> as;

  /**
   * @param as the caller in the place of the recorded one; empty: the recorded one
   */
  AuditedTraffic(TargetPolicy policy, Optional<String> as) {
    this.policy = policy;
    this.as = as;
  }

  /** Whether a line is one of an audit. */
  static boolean isOne(JsonNode line) {
    return line.has(AuditField.EVENT.key());
  }

  /** Judges a line; empty when it is about no call of an agent, or one that nothing is known of. */
  Optional<Judged> judge(JsonNode line) {
    String event = text(line, AuditField.EVENT);
    boolean registry = event.equals(AuditEvent.REGISTRY.word());
    String target = text(line, AuditField.TARGET);
    Optional<EndpointId> place = endpoint(target);
    if (!(registry || event.equals(AuditEvent.CALL.word())) || place.isEmpty()) {
      return Optional.empty();
    }
    String name = as.orElse(text(line, AuditField.PRINCIPAL));
    Principal principal = principal(name);
    Optional<TargetPolicy.Permission> permission =
        policy.permission(principal, place.get().host(), place.get().port());
    if (!text(line, AuditField.VERDICT).equals(AuditEntry.ALLOWED)) {
      return refusedThen(line, name, target, registry, permission);
    }
    return Optional.of(
        registry
            ? new Judged(name, target, registryCall(line), registry(line, target, permission), true)
            : call(line, name, target, permission, true));
  }

  /** Whether what a call was refused for would be allowed; empty where no setting decides that. */
  private Optional<Judged> refusedThen(
      JsonNode line,
      String name,
      String target,
      boolean registry,
      Optional<TargetPolicy.Permission> permission) {
    Principal principal = principal(name);
    String rule = text(line, AuditField.RULE);
    String type = text(line, AuditField.CLASS);
    String endpoint = text(line, AuditField.ENDPOINT);
    if (!type.isEmpty() || !endpoint.isEmpty()) {
      Objection.Rule of =
          !endpoint.isEmpty()
              ? Objection.Rule.REFERENCE
              : rule.equals(Objection.Rule.CLASS.toString())
                  ? Objection.Rule.CLASS
                  : Objection.Rule.SHAPE;
      String subject = endpoint.isEmpty() ? type : endpoint;
      LearnedNotes.Note note = new LearnedNotes.Note(name, target, of, subject, "");
      boolean refuses = policy.refuses(principal, note, () -> policy.rules(principal, target));
      String what = call(line) + " with " + of + " " + subject;
      return Optional.of(new Judged(name, target, what, refuses ? "no rule allows it" : "", false));
    }
    if (registry && REGISTRY_RULES.contains(rule)) {
      return Optional.of(
          new Judged(name, target, registryCall(line), registry(line, target, permission), false));
    }
    return CALL_RULES.contains(rule)
        ? Optional.of(call(line, name, target, permission, false))
        : Optional.empty();
  }

  private static Optional<EndpointId> endpoint(String target) {
    int colon = target.lastIndexOf(':');
    return colon > 0 && target.substring(colon + 1).matches("\\d{1,5}")
        ? Optional.of(
            new EndpointId(
                target.substring(0, colon), Integer.parseInt(target.substring(colon + 1))))
        : Optional.empty();
  }

  private static String registryCall(JsonNode line) {
    String called = text(line, AuditField.NAME);
    return text(line, AuditField.METHOD) + (called.isEmpty() ? "" : " of \"" + called + "\"");
  }

  private static String registry(
      JsonNode line, String target, Optional<TargetPolicy.Permission> permission) {
    if (permission.isEmpty()) {
      return noTarget(target);
    }
    String method = text(line, AuditField.METHOD);
    Optional<RegistryOperation> operation =
        Stream.of(RegistryOperation.values())
            .filter(one -> one.name().toLowerCase(Locale.ROOT).equals(method))
            .findFirst();
    if (operation.isEmpty() || !permission.get().registry().contains(operation.get())) {
      return "to allow it add \"registry: [" + method + "]\" to a targets entry";
    }
    CallRules rules = permission.get().rules();
    boolean listed = operation.get() == RegistryOperation.LIST && rules.looks();
    return listed || rules.permitsName(Optional.of(text(line, AuditField.NAME)))
        ? ""
        : "to allow it add the name to names in a targets entry";
  }

  private static String call(JsonNode line) {
    String method = text(line, AuditField.METHOD);
    String known = method.isEmpty() ? text(line, AuditField.INTERFACE) : method;
    return "call of " + (known.isEmpty() ? "" : known + " ") + text(line, AuditField.METHOD_HASH);
  }

  /** The caller: the name or group of the option, or the name in the audit. */
  private Principal principal(String name) {
    return as.map(Principal::listed)
        .orElseGet(() -> new Principal(name, Principal.Scheme.CONTAINER));
  }

  private Judged call(
      JsonNode line,
      String name,
      String target,
      Optional<TargetPolicy.Permission> permission,
      boolean passedThen) {
    Principal principal = principal(name);
    String refusal = call(line, target, principal, permission);
    boolean needsRegistry = refusal.isEmpty() && permission.isEmpty();
    return new Judged(name, target, call(line), refusal, passedThen, needsRegistry);
  }

  /** An endpoint that no entry names may have been named by a registry then. */
  private String call(
      JsonNode line,
      String target,
      Principal principal,
      Optional<TargetPolicy.Permission> permission) {
    if (permission.isEmpty() && !policy.mayLookUpAnywhere(principal)) {
      return noTarget(target);
    }
    CallRules rules =
        permission.map(TargetPolicy.Permission::rules).orElse(policy.rules(principal, target));
    if (!rules.enforces()) {
      return "";
    }
    String text = text(line, AuditField.METHOD_HASH);
    boolean hasHash = text.matches("\\p{XDigit}{16}");
    long hash = hasHash ? Long.parseUnsignedLong(text, 16) : 0;
    int operation = line.path(AuditField.OPERATION.key()).asInt(NO_OPERATION);
    long bytes = line.path(AuditField.REQUEST_BYTES.key()).asLong(0);
    boolean judgesMethod =
        hasHash && !text(line, AuditField.OBJECT).equals(ObjIdentifier.DGC.toString());
    return rules
        .length(operation, hash, bytes)
        .or(() -> judgesMethod ? rules.method(operation, hash) : Optional.empty())
        .map(objection -> objection.reason() + "; " + rules.advice(objection))
        .orElse("");
  }

  private static String noTarget(String target) {
    return "to allow it add \"allow: ['" + Objection.printable(target) + "']\" to a targets entry";
  }

  private static String text(JsonNode line, AuditField field) {
    return Objection.printable(line.path(field.key()).asText(""));
  }
}
