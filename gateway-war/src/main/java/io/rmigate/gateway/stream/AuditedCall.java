package io.rmigate.gateway.stream;

import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditField;
import io.rmigate.gateway.audit.AuditOutcome;
import io.rmigate.gateway.audit.CallLine;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.route.SessionKnowledge;
import io.rmigate.protocol.LogText;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.CallHeader;
import io.rmigate.protocol.jrmp.message.RegistryCall;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The latest Call of one stream, for the audit: one line, written when the Call is over. Where a
 * Return ends only JRMP knows; it counts as over when the next request comes, when the stream ends,
 * or when nothing has come for a second. Refused requests are a line each, at once.
 *
 * <p>Guarded by {@link OpenStream#lock()}.
 */
final class AuditedCall {
  private static final int NO_OPERATION = -1; // the method's hash says it all

  /** Most bytes of a Call that are kept: its header and a name for a registry. */
  private static final int BEGINNING_BYTES = 512;

  private final SessionAudit audit;
  private final SessionKnowledge knowledge;
  private final SessionStanding standing;
  private final String target;
  private final int stream;
  private final CallLine line;

  /** The beginning of the latest Call. */
  private byte[] latest = {};

  AuditedCall(StreamSession session, String target, int stream) {
    this.audit = session.audit();
    this.knowledge = session.knowledge();
    this.standing = session.standing();
    this.target = target;
    this.stream = stream;
    this.line = new CallLine(audit::add);
  }

  /** The call that was let through last, for a line of the log. */
  String latestCall() {
    return call(latest);
  }

  /** A Call, or its beginning, is let through. */
  void begin(CallHeader header, Optional<RegistryOperation> registry, byte[] call) {
    over(AuditOutcome.ABANDONED);
    latest = call.length <= BEGINNING_BYTES ? call : Arrays.copyOf(call, BEGINNING_BYTES);
    AuditEvent event = event(registry);
    if (!audit.records(event)) {
      return;
    }
    AuditEntry entry = describe(entry(event), header, registry, call);
    line.begin(entry.with(AuditField.VERDICT, AuditEntry.ALLOWED), call.length);
  }

  private static AuditEvent event(Optional<RegistryOperation> registry) {
    return registry.isPresent() ? AuditEvent.REGISTRY : AuditEvent.CALL;
  }

  private AuditEntry entry(AuditEvent event) {
    return audit.entry(event).with(AuditField.STREAM, stream).with(AuditField.TARGET, target);
  }

  private AuditEntry describe(
      AuditEntry described, CallHeader header, Optional<RegistryOperation> registry, byte[] call) {
    String interfaces = knowledge.interfacesOf(header.object());
    described.with(AuditField.OBJECT, header.object()).with(AuditField.INTERFACE, interfaces);
    if (registry.isPresent()) {
      return described
          .with(AuditField.METHOD, registry.get().name().toLowerCase(Locale.ROOT))
          .with(AuditField.NAME, boundName(call).orElse(""));
    }
    if (header.operation() != NO_OPERATION) {
      described.with(AuditField.OPERATION, header.operation());
    }
    if (header.operation() == NO_OPERATION) {
      described.with(AuditField.METHOD, standing.policy().methodName(header.hash(), interfaces));
    }
    return described.with(AuditField.METHOD_HASH, header.hash());
  }

  /** The name that a Call of a registry is about; empty when it cannot be read. */
  static Optional<String> boundName(byte[] call) {
    return registryCall(call).flatMap(RegistryCall::name);
  }

  /** A Call of a registry; empty when it cannot be read. */
  static Optional<RegistryCall> registryCall(byte[] call) {
    try {
      return RegistryCall.decode(call, 0, call.length);
    } catch (ProtocolViolationException unreadable) {
      return Optional.empty();
    }
  }

  /** Counts more bytes of a Call that is let through while it comes. */
  void more(int bytes) {
    line.more(bytes);
  }

  /** Bytes of the Return pass on. */
  void answered(ByteBuffer bytes) {
    line.answered(bytes);
  }

  /** Notes that the call has reached no server, and why. */
  void notConnected(String reason) {
    line.entry().ifPresent(entry -> entry.with(AuditField.REASON, reason));
    line.over(AuditOutcome.NOT_CONNECTED);
  }

  /** The place it was to go to is one that no policy allows. */
  void refusedAddress(Refusal refusal) {
    line.entry().ifPresent(entry -> entry.refused("address", refusal));
    line.over(AuditOutcome.REFUSED);
  }

  /** The reply of the server is refused. */
  void refusedReply(String rule, Refusal refusal) {
    refusedLater(rule, "reply: " + refusal.reason(), refusal);
  }

  /** The call is refused after it has begun. */
  void refusedLater(String rule, String reason, Refusal refusal) {
    line.refused(rule, new Refusal(refusal.number(), reason, refusal.advice(), refusal.place()));
  }

  /** A later part of the Call has something in it that may not go on. */
  void refusedLater(Objection objection, Refusal refusal) {
    line.entry().ifPresent(entry -> SessionAudit.about(entry, objection));
    refusedLater(objection.rule().toString(), refusal.reason(), refusal);
  }

  /** The server's answer has something in it that may not go on. */
  void refusedReply(Objection objection, Refusal refusal) {
    line.entry().ifPresent(entry -> SessionAudit.about(entry, objection));
    refusedReply(objection.rule().toString(), refusal);
  }

  /** Ends the audit line of the Call. Does nothing when the Call is over already. */
  void over(AuditOutcome ifUnanswered) {
    line.over(ifUnanswered);
  }

  /** Looks at the clock: an answer that has been quiet for long is over. */
  void tick(long now) {
    line.tick(now);
  }

  /** For a line of the log: what is asked for, as far as its beginning says so. */
  String call(byte[] request) {
    Optional<CallHeader> header = header(request);
    Optional<RegistryOperation> registry = registry(header);
    if (registry.isPresent()) {
      String operation = registry.get().name().toLowerCase(Locale.ROOT);
      Optional<String> bound = // long ones would cost more memory than requests may
          request.length <= BEGINNING_BYTES ? boundName(request) : Optional.empty();
      return bound.map(name -> operation + " of \"" + LogText.brief(name) + "\"").orElse(operation);
    }
    if (header.isEmpty()) {
      return "call";
    }
    String interfaces = knowledge.interfacesOf(header.get().object());
    String method =
        header.get().operation() == NO_OPERATION
            ? standing.policy().methodName(header.get().hash(), interfaces)
            : "operation " + header.get().operation();
    if (method.isEmpty()) {
      method = "method " + HexFormat.of().toHexDigits(header.get().hash());
    }
    return "call of " + (interfaces.isEmpty() ? "" : LogText.brief(interfaces) + " ") + method;
  }

  /** A request goes nowhere. */
  void refused(String rule, Refusal refusal, byte[] request) {
    refused(rule, refusal, request, refused -> {});
  }

  /** A request goes nowhere, because of what is in it. */
  void refused(Objection objection, Refusal refusal, byte[] request) {
    refused(
        objection.rule().toString(),
        refusal,
        request,
        refused -> SessionAudit.about(refused, objection));
  }

  private static Optional<CallHeader> header(byte[] request) {
    return request.length > 0 && request[0] == Jrmp.CALL
        ? CallHeader.decode(request, 0, request.length)
        : Optional.empty();
  }

  private static Optional<RegistryOperation> registry(Optional<CallHeader> header) {
    return header
        .filter(h -> h.object().equals(ObjIdentifier.REGISTRY))
        .flatMap(h -> RegistryOperation.of(h.operation(), h.hash()));
  }

  private void refused(String rule, Refusal refusal, byte[] request, Consumer<AuditEntry> more) {
    Optional<CallHeader> header = header(request);
    Optional<RegistryOperation> registry = registry(header);
    AuditEvent event = event(registry);
    if (audit.records(event)) {
      AuditEntry refused = entry(event);
      header.ifPresent(h -> describe(refused, h, registry, request));
      more.accept(refused);
      audit.add(refused.refused(rule, refusal).with(AuditField.REQUEST_BYTES, request.length));
    }
  }
}
