package io.rmigate.gateway.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditField;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.Objection;
import io.rmigate.gateway.session.TargetPolicy;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.RegistryOperation;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a policy makes of calls that an audit has kept: of their targets, operations of registries,
 * names and methods. What they carried is in no audit.
 */
final class AuditedTraffic {
  private static final int NO_OPERATION = -1;

  /**
   * One kind of call.
   *
   * @param what is called
   * @param refusal why it would not pass; empty when it would
   */
  record Judged(String principal, String target, String what, String refusal) {
    boolean isRefused() {
      return !refusal.isEmpty();
    }

    @Override
    public String toString() {
      return "%s %s at %s by %s%s"
          .formatted(
              isRefused() ? "refused" : "allowed",
              what,
              target,
              principal,
              isRefused() ? ": " + refusal : "");
    }
  }

  private final TargetPolicy policy;
  private final Optional<String> as;

  /**
   * @param as who calls, whoever it was then; empty: as it was
   */
  AuditedTraffic(TargetPolicy policy, Optional<String> as) {
    this.policy = policy;
    this.as = as;
  }

  /** Whether a line is one of an audit. */
  static boolean isOne(JsonNode line) {
    return line.has(AuditField.EVENT.key());
  }

  /** Judges a line; empty when it is about no call of an agent, or one that did not pass then. */
  Optional<Judged> judge(JsonNode line) {
    String event = text(line, AuditField.EVENT);
    boolean registry = event.equals(AuditEvent.REGISTRY.word());
    String target = text(line, AuditField.TARGET);
    Optional<EndpointId> place = endpoint(target);
    if (!(registry || event.equals(AuditEvent.CALL.word()))
        || !text(line, AuditField.VERDICT).equals(AuditEntry.ALLOWED)
        || place.isEmpty()) {
      return Optional.empty();
    }
    String name = as.orElse(text(line, AuditField.PRINCIPAL));
    Principal principal = new Principal(name, Principal.Scheme.CONTAINER);
    Optional<TargetPolicy.Permission> permission =
        policy.permission(principal, place.get().host(), place.get().port());
    return Optional.of(
        registry
            ? new Judged(name, target, registryCall(line), registry(line, target, permission))
            : new Judged(name, target, call(line), call(line, target, principal, permission)));
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
    String hash = text(line, AuditField.METHOD_HASH);
    if (!rules.enforces()
        || !hash.matches("\\p{XDigit}{16}")
        || text(line, AuditField.OBJECT).equals(ObjIdentifier.DGC.toString())) {
      return "";
    }
    JsonNode operation = line.path(AuditField.OPERATION.key());
    return rules
        .method(operation.asInt(NO_OPERATION), Long.parseUnsignedLong(hash, 16))
        .map(objection -> objection.reason() + "; " + objection.advice())
        .orElse("");
  }

  private static String noTarget(String target) {
    return "to allow it add \"allow: ['" + Objection.printable(target) + "']\" to a targets entry";
  }

  private static String text(JsonNode line, AuditField field) {
    return Objection.printable(line.path(field.key()).asText(""));
  }
}
