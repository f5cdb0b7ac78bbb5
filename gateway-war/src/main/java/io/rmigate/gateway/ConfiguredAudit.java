package io.rmigate.gateway;

import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditField;
import io.rmigate.gateway.audit.AuditLog;
import io.rmigate.gateway.audit.AuditOutcome;
import io.rmigate.gateway.audit.AuditTrail;
import io.rmigate.gateway.config.ConfigWatcher;
import io.rmigate.gateway.config.GatewayConfig;
import io.rmigate.gateway.metrics.GatewayMetrics;
import io.rmigate.gateway.problem.ConfigException;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The audit that the configuration asks for, with entries about the configuration itself. */
final class ConfiguredAudit {
  private static final Logger log = LoggerFactory.getLogger(GatewayBootstrap.class);

  private final ConfigWatcher watcher;
  private AuditTrail trail = AuditTrail.OFF;

  /** Null without an audit. */
  private AuditLog opened;

  /**
   * @param watcher tells what a reload changes
   */
  ConfiguredAudit(ConfigWatcher watcher) {
    this.watcher = watcher;
  }

  /**
   * Opens the audit, if there is to be one.
   *
   * @throws ConfigException its file cannot be written
   */
  void open(GatewayConfig config, GatewayMetrics metrics) throws ConfigException {
    if (config.operation().audit().isEmpty()) {
      log.info("no audit is kept; see audit in the configuration");
      return;
    }
    try {
      AuditLog audit = AuditLog.open(config.operation().audit().get());
      opened = audit;
      trail = audit;
      metrics.watchAudit(() -> audit.head().number(), () -> audit.head().lost());
      watcher.onChange(changed -> changed.operation().audit().ifPresent(audit::settings));
    } catch (IOException e) {
      throw new ConfigException(config.sourceName(), "audit.path", e.getMessage());
    }
    watcher.onChange(changed -> add(AuditOutcome.RELOADED));
    watcher.onRefusal(() -> add(AuditOutcome.REFUSED));
  }

  private void add(AuditOutcome outcome) {
    trail.add(
        AuditEntry.of(AuditEvent.CONFIGURATION, outcome)
            .with(
                AuditField.PATH,
                watcher.current().source().map(Object::toString).orElse("command line")));
  }

  /** Takes entries; {@link AuditTrail#OFF} without an audit. */
  AuditTrail trail() {
    return trail;
  }

  /** Writes what is still to be written. Idempotent. */
  void close() {
    if (opened != null) {
      opened.close();
    }
  }
}
