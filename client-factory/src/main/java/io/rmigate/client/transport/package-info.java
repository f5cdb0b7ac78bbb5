/**
 * The {@link io.rmigate.client.transport.Transport} seam: one connection to a gateway that carries
 * the bytes of link frames, and the connectors that open one.
 *
 * <pre>
 *   websocket, post      the two transports
 *   transport            the seam: Transport, TransportConnector, GatewayAccess
 *   proxy                the way to the gateway: HTTP proxies, PAC files, CONNECT
 *   http                 HTTP/1.1 as far as a client needs it
 *   net                  TCP, TLS, deadlines, name look-ups
 * </pre>
 *
 * Each package imports packages further down in this list only. Blocking sockets without a thread
 * of their own, and not java.net.http: its hand-overs between threads cost more than the call that
 * is carried.
 *
 * <p>Nothing JVM-wide is used or changed: no ProxySelector, no default SSLContext, no Authenticator
 * but for the moment of an NTLM or Negotiate login ({@code JdkTunnel}). May import {@code
 * client.config}, {@code client.pac} and {@code protocol}; must not import link, mediator,
 * instrument.
 */
package io.rmigate.client.transport;
