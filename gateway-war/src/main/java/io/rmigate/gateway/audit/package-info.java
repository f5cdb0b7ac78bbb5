/**
 * The audit: who has done what through this gateway, and what was refused to whom, one line of JSON
 * each (THREATS T56). {@link io.rmigate.gateway.audit.AuditTrail} is what the other packages see;
 * {@link io.rmigate.gateway.audit.AuditLog} takes entries without blocking and has one thread that
 * writes them; {@link io.rmigate.gateway.audit.AuditFile} appends, numbers, chains and rotates;
 * {@link io.rmigate.gateway.audit.AuditVerifier} checks what is there afterwards.
 *
 * <p>{@link io.rmigate.gateway.audit.AuditField} is the one place where fields are listed; the
 * lists of docs/reference/audit.md are copies of it, held equal by a test. No field is for
 * arguments, results or credentials. Imports nothing of the gateway.
 */
package io.rmigate.gateway.audit;
