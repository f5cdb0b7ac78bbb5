package io.rmigate.gateway.callback;

import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditField;
import io.rmigate.gateway.audit.AuditOutcome;
import io.rmigate.gateway.audit.CallLine;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.protocol.jrmp.message.CallHeader;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * The latest Call of one inner connection, for the audit: one line, written when the Call is over,
 * which is when the inner JVM says something new, when the connection ends, or when nothing of the
 * Return has come for a second. Nothing of what it carries is kept.
 *
 * <p>Guarded by {@link CallbackStream}'s lock.
 */
final class AuditedCallback {
  private static final int NO_OPERATION = -1; // the method's hash says it all

  private final CallbackLink link;
  private final String host;
  private final int port;
  private final String peer;
  private final CallLine line;
  private String method = "";

  /**
   * @param host how stubs name the listener
   * @param port of the listener
   * @param peer the inner JVM, as {@code address:port}
   */
  AuditedCallback(CallbackLink link, String host, int port, String peer) {
    this.link = link;
    this.host = host;
    this.port = port;
    this.peer = peer;
    this.line = new CallLine(link::audit);
  }

  /**
   * A Call begins.
   *
   * @param beginning as much of it as says whom it is for
   */
  void begin(byte[] beginning) {
    over(AuditOutcome.ABANDONED);
    method = CallHeader.decode(beginning, 0, beginning.length).map(this::method).orElse("");
    if (!link.records(AuditEvent.CALLBACK_CALL)) {
      return;
    }
    AuditEntry entry = begin();
    CallHeader.decode(beginning, 0, beginning.length).ifPresent(header -> describe(entry, header));
  }

  private String method(CallHeader header) {
    String named = header.operation() == NO_OPERATION ? link.methodName(header.hash()) : "";
    return named.isEmpty() ? "method " + HexFormat.of().toHexDigits(header.hash()) : named;
  }

  private AuditEntry begin() {
    AuditEntry entry =
        link.entry(AuditEvent.CALLBACK_CALL)
            .with(AuditField.PEER, peer)
            .with(AuditField.PORT, port)
            .with(AuditField.TARGET, host + ":" + port)
            .with(AuditField.VERDICT, AuditEntry.ALLOWED);
    line.begin(entry, 0);
    return entry;
  }

  private void describe(AuditEntry entry, CallHeader header) {
    entry.with(AuditField.OBJECT, header.object()).with(AuditField.METHOD_HASH, header.hash());
    if (header.operation() == NO_OPERATION) {
      entry.with(AuditField.METHOD, link.methodName(header.hash()));
    } else {
      entry.with(AuditField.OPERATION, header.operation());
    }
  }

  /** Counts more bytes of the Call. */
  void more(int bytes) {
    line.more(bytes);
  }

  /** Bytes of the Return go to the inner JVM. */
  void answered(byte[] bytes) {
    if (bytes.length > 0) {
      line.answered(ByteBuffer.wrap(bytes));
    }
  }

  /** The Call is refused before any of its bytes passes. */
  void refused(String rule, Refusal refusal) {
    line.refused(rule, refusal);
  }

  /**
   * The Call, or its Return, may not go on.
   *
   * @param what of both
   */
  void refused(String rule, String what, Objection objection, Refusal refusal) {
    if (line.entry().isEmpty() && link.records(AuditEvent.CALLBACK_CALL)) {
      begin(); // of a Return that seemed to be over: a refusal is told in any case
    }
    line.entry()
        .ifPresent(
            entry ->
                entry
                    .with(AuditField.CLASS, objection.className())
                    .with(AuditField.ENDPOINT, objection.endpoint()));
    line.refused(
        rule,
        new Refusal(
            refusal.number(), what + ": " + objection.reason(), refusal.advice(), refusal.place()));
  }

  /** The latest method, for a line of the log: its name where jars have it, else its hash. */
  String method() {
    return method;
  }

  /** Ends the audit line of the Call. Does nothing when the Call is over already. */
  void over(AuditOutcome ifUnanswered) {
    line.over(ifUnanswered);
  }

  /** Looks at the clock: an answer that has been quiet for long is over. */
  void tick(long now) {
    line.tick(now);
  }
}
