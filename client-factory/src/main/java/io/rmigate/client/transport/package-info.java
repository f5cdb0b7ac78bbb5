/**
 * How link frames travel between client and gateway: the {@link
 * io.rmigate.client.transport.Transport} seam, its WebSocket side and its POST side.
 *
 * <p>The listing is the design: {@code WebSocketProtocol} has the constants, {@code
 * WebSocketFrameReader} and {@code WebSocketFrameWriter} the codec, {@code WebSocketTransport} the
 * state, {@code WebSocketHandshake} the upgrade; {@code PostTransport} numbers requests and puts
 * their answers in order, {@code HttpConnection} carries one after the other; {@code TlsLayer} is
 * what lies between. The connection beneath comes from {@link
 * io.rmigate.client.transport.GatewayDialer}: {@code Routes} says through which HTTP proxies, with
 * a {@code PacFile} where one is configured, {@code HttpTunnel} is the way through one, {@code
 * ProxyRefusal} what its no means. Blocking sockets without a thread of their own, and not
 * java.net.http: its hand-overs between threads cost more than the call that is carried.
 *
 * <p>Nothing JVM-wide is used or changed: no ProxySelector, no default SSLContext, no Authenticator
 * but for the moment of an NTLM or Negotiate login ({@code JdkTunnel}). May import {@code
 * client.config}, {@code client.pac} and {@code protocol}; must not import link, mediator,
 * instrument.
 */
package io.rmigate.client.transport;
