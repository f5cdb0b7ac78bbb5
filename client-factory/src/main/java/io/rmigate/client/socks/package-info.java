/**
 * SOCKS on this machine: for sockets that no RMI socket factory of ours makes. {@link
 * io.rmigate.client.socks.SocksDoor} is the door within a JVM; the sidecar uses the same protocol
 * and the same pipes. Only CONNECT, only from this machine unless its owner says otherwise.
 */
package io.rmigate.client.socks;
