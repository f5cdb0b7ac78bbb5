/**
 * Sockets without a file descriptor that the RMI runtime takes for connections to an RMI server.
 *
 * <p>{@link io.rmigate.client.socket.TunnelSocket} meets the contract of {@code java.net.Socket} as
 * far as the RMI runtime and applications ask for it; {@link
 * io.rmigate.client.socket.JrmpConversation} answers what need not cross the link (header, ping)
 * and carries the rest over a stream of the mediator agent.
 */
package io.rmigate.client.socket;
