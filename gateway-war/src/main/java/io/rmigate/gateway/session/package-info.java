/**
 * Tunnel sessions: one per agent, from its hello to its end.
 *
 * <pre>
 *  {@link io.rmigate.gateway.session.SessionRegistry}      all sessions, and what they share
 *  {@link io.rmigate.gateway.session.TunnelSession}        takes one agent's frames, over one connection after another
 *    SessionCarrier, OutboundQueue     its connection at present, and what goes out there
 *    SessionClock, SessionLogin        how long it lasts, and on whose word
 *    SessionContext                    what its streams, lookups and callbacks work with
 *    SessionParts                      leases, lookups, grants, callbacks: what was agreed on
 *    SessionStreams                    its open streams, of {@link io.rmigate.gateway.stream}
 * </pre>
 *
 * <p>What the session may do, and was given, is known in {@link io.rmigate.gateway.route}; how much
 * of it, in {@link io.rmigate.gateway.limit}. The container's types stop at {@code gateway.edge},
 * sockets to servers at {@code gateway.relay}.
 */
package io.rmigate.gateway.session;
