/**
 * Stubs with a socket factory of their own, with real JVMs at both ends: JMX over TLS with client
 * certificates, by the javaagent's door for sockets.
 */
package io.rmigate.gateway.container.sockets;
