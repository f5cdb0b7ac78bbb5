/**
 * Socket factories of the application, with real JVMs at both ends: plain sockets, and JMX over TLS
 * with client certificates, by the javaagent's door for sockets.
 */
package io.rmigate.gateway.container.sockets;
