/**
 * Tunnel sessions: one per agent, from its hello to its end, with the streams it has open.
 *
 * <p>{@link io.rmigate.gateway.session.TunnelSession} takes the frames, {@link
 * io.rmigate.gateway.session.TunnelStream} relays one JRMP connection with the parts that its
 * comment shows, {@link io.rmigate.gateway.session.OutboundQueue} sends, {@link
 * io.rmigate.gateway.session.SessionRegistry} knows them all. The container's types stop at {@code
 * gateway.edge}, sockets to servers at {@code gateway.relay}.
 */
package io.rmigate.gateway.session;
