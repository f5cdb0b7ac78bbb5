/**
 * Sockets and what lies on them: TCP connections within a deadline, name look-ups that end in time,
 * and TLS. {@link io.rmigate.client.transport.net.DialedSocket} is a connection that has been made;
 * {@link io.rmigate.client.transport.net.SocketGuard} closes one that is late. Imports no other
 * package of the transports.
 */
package io.rmigate.client.transport.net;
