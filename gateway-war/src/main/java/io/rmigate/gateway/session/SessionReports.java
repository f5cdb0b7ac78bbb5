package io.rmigate.gateway.session;

import io.rmigate.gateway.audit.AuditTrail;
import io.rmigate.gateway.log.RareLines;
import io.rmigate.gateway.view.SessionMeters;

/**
 * Where sessions report what they do.
 *
 * @param lines of the log, that callers can have written at will; the timer of sessions logs how
 *     many of them were left out
 */
public record SessionReports(SessionMeters meters, AuditTrail audit, RareLines lines) {}
