/**
 * Tunnel sessions: one per agent, from its hello to its end, with the streams it has open.
 *
 * <p>{@link io.rmigate.gateway.session.TunnelSession} takes the frames, {@link
 * io.rmigate.gateway.session.TunnelStream} relays one JRMP connection with the parts that its
 * comment shows, {@link io.rmigate.gateway.session.OutboundQueue} sends, {@link
 * io.rmigate.gateway.session.SessionRegistry} knows them all.
 *
 * <p>A call's way through the gate: {@code RequestGathering} collects it, {@code RequestJudge} asks
 * in this order for its login, the audit, lockouts, its deadline, the way to its target, its form,
 * its object, its contents, its names and the limits; {@code StreamConnections} sends it; {@code
 * ReturnPath} judges what comes back. {@code InsideRoutes} and {@code ReceivedReferences} know what
 * the session was given, {@code TargetPolicy} what it may do. The container's types stop at {@code
 * gateway.edge}, sockets to servers at {@code gateway.relay}.
 */
package io.rmigate.gateway.session;
