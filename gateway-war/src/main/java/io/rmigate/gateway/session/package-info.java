/**
 * Tunnel sessions: one per agent, from its hello to its end, with the streams it has open.
 *
 * <pre>
 *  {@link io.rmigate.gateway.session.SessionRegistry}      all sessions, and what they share
 *  {@link io.rmigate.gateway.session.TunnelSession}        takes one agent's frames, over one connection after another
 *    SessionCarrier, OutboundQueue     its connection at present, and what goes out there
 *    SessionClock, SessionLogin        how long it lasts, and on whose word
 *    SessionKnowledge                  what it was given, and may name and call
 *    SessionTargets                    the servers that its streams go to
 *    SessionParts                      leases, lookups, grants, callbacks: what was agreed on
 *    CallerShare                       what is counted for all sessions of its caller
 *    TunnelStream, RawStream           one JRMP connection, or another one
 * </pre>
 *
 * <p>A call's way through the gate: {@code RequestGathering} collects it, {@code RequestJudge} asks
 * in this order for its login, the audit, lockouts, its deadline, the way to its target, its form,
 * its object, its contents, its names and the limits, with {@code CollectorRequests}, {@code
 * RegistryRequests} and {@code StreamedCall} for the kinds that these are, and {@code
 * RequestRefusals} for what does not pass; {@code StreamConnections} sends it; {@code ReturnPath}
 * judges what comes back. What the session may do, and was given, is known in {@link
 * io.rmigate.gateway.route}; how much of it, in {@link io.rmigate.gateway.limit}. The container's
 * types stop at {@code gateway.edge}, sockets to servers at {@code gateway.relay}.
 */
package io.rmigate.gateway.session;
