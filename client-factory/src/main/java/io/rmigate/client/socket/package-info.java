/**
 * Connections to RMI servers beyond the gateway, as the RMI runtime has them.
 *
 * <p>{@link io.rmigate.client.socket.TunnelSocket} is what it sees; {@link
 * io.rmigate.client.socket.JrmpConversation} answers what need not cross the link (header, ping)
 * and carries the rest over a stream of the mediator agent. {@link
 * io.rmigate.client.socket.MediatedConnection} does so for a real socket: of a client of the
 * sidecar, or of a socket factory that makes plain sockets.
 */
package io.rmigate.client.socket;
