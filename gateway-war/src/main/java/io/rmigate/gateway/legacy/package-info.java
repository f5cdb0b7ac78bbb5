/**
 * Clients of JDK 8 and older, which tunnel by themselves: one POST, with one JRMP message in it,
 * for each call (HTTP-to-port and HTTP-to-CGI).
 *
 * <pre>
 *   POST ──► {@link io.rmigate.gateway.legacy.LegacyClients} ──► {@link io.rmigate.gateway.legacy.LegacyClient}, by principal and address
 *                                       │ Call            ──► {@link io.rmigate.gateway.legacy.LegacyStream} ──► session ──► server
 *                                       │ dirty, clean    ──► {@link io.rmigate.gateway.legacy.LegacyLeases} ──► session's leases
 *                                       │ DgcAck          ──► session's barrier
 *                                       └ Ping, nothing       answered here
 * </pre>
 *
 * <p>Such a client has no agent, so the gateway is its agent, too: it opens a session within itself
 * and says there what an agent would say, frame by frame; but a call is one frame of any length,
 * which is never encoded, cut or copied. So all rules of sessions hold for these clients: policy,
 * the check of requests, what registries have named, mapped hosts, leases and their barrier, drain,
 * metrics and views. (The other way, to judge and relay POSTs as the web-service front does, would
 * have been a second place in which all that must be right.)
 *
 * <p>Knows no containers: {@code edge.legacy} does. Must not import {@code edge}, {@code relay} or
 * {@code gate}.
 */
package io.rmigate.gateway.legacy;
