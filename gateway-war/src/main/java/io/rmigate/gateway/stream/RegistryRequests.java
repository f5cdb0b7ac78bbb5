package io.rmigate.gateway.stream;

import io.rmigate.gateway.gate.Verdict;
import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.protocol.LogText;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.message.RegistryCall;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls to registries on one stream: whether what is asked is one that they read as it is meant,
 * and whether it may be asked of them, by operation and by name.
 *
 * <p>Guarded by {@link OpenStream#lock()}.
 */
final class RegistryRequests {
  /** The logger of all messages about requests. */
  private static final Logger LOG = LoggerFactory.getLogger(RequestJudge.class);

  private final String target;
  private final Lockout lockout;
  private final RequestRefusals refusals;

  /**
   * @param target host and port, fit for a log
   */
  RegistryRequests(String target, Lockout lockout, RequestRefusals refusals) {
    this.target = target;
    this.lockout = lockout;
    this.refusals = refusals;
  }

  /**
   * Whether a call that policy lets through goes on; if not it has been refused.
   *
   * @param operation empty when it is for no registry
   */
  boolean permits(Optional<RegistryOperation> operation, byte[] request, CallRules rules) {
    return isAsRegistriesReadIt(operation, request) && permitsName(operation, request, rules);
  }

  /**
   * Whether a question to a registry has its one argument, a string or null and nothing else, or
   * none; if not it has been refused. Registries before JDK 8u121 deserialize any object there
   * (CVE-2017-3241).
   */
  private boolean isAsRegistriesReadIt(Optional<RegistryOperation> operation, byte[] request) {
    if (operation.isEmpty() || bringsAnObject(operation.get())) {
      return true;
    }
    try {
      Optional<RegistryCall> call = RegistryCall.decode(request, 0, request.length);
      if (call.isPresent()) {
        return true; // with a name, or null: that is the server's business
      }
    } catch (ProtocolViolationException others) {
      LOG.debug("{}: {}", target, others.getMessage());
    }
    lockout.onMalformed("argument of " + operation.get(), request);
    refuse("registry-argument", Refusal.of("its argument is not just a name"), request);
    return false;
  }

  private static boolean bringsAnObject(RegistryOperation operation) {
    return operation == RegistryOperation.BIND || operation == RegistryOperation.REBIND;
  }

  /** Whether the registry may be asked for that name; if not it has been refused. */
  private boolean permitsName(
      Optional<RegistryOperation> operation, byte[] request, CallRules rules) {
    if (operation.isEmpty()
        || !rules.limitsNames()
        || (operation.get() == RegistryOperation.LIST
            && (rules.looks() || !rules.limitsLists()))) { // names are taken out of the answer
      return true;
    }
    Optional<RegistryCall> call = AuditedCall.registryCall(request);
    if (call.isPresent()
        && call.get().name().isEmpty()
        && operation.get() != RegistryOperation.LIST) {
      return true; // null names nothing: every registry answers with an exception
    }
    Optional<String> name = call.flatMap(RegistryCall::name);
    if (rules.permitsName(name)) {
      return true;
    }
    name.ifPresent(lockout::onRefusedName);
    refuse(
        "registry-name",
        Refusal.of(
            name.map(text -> "name \"" + LogText.brief(text) + "\"").orElse("all names"),
            "to allow it add it to names in a targets entry"),
        request);
    return false;
  }

  /** Policy does not let that be asked of a registry there. */
  void deny(Verdict.Deny deny, byte[] request) {
    String operation = deny.operation().name().toLowerCase(Locale.ROOT);
    lockout.onRefusedOperation(deny.operation(), target);
    refuse(
        "registry-operation",
        Refusal.of(
            "registry operation " + operation,
            "to allow it add \"registry: [" + operation + "]\" to a targets entry"),
        request);
  }

  private void refuse(String word, Refusal refusal, byte[] request) {
    refusals.refuse(
        word,
        refusals.log(refusal, request),
        request,
        RefusalReason.OPERATION_NOT_PERMITTED,
        RefusalTexts.NO_REGISTRY_OPERATION);
  }
}
