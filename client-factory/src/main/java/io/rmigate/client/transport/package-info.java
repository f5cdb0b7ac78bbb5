/**
 * How link frames travel between client and gateway: the {@link
 * io.rmigate.client.transport.Transport} seam and its WebSocket side.
 *
 * <p>The listing is the design: {@code WebSocketProtocol} has the constants, {@code
 * WebSocketFrameReader} and {@code WebSocketFrameWriter} the codec, {@code WebSocketTransport} the
 * state, {@code WebSocketHandshake} the upgrade, {@code HttpTunnel} the way through an HTTP proxy,
 * {@code TlsLayer} what lies between. Blocking sockets without a thread of their own, and not
 * java.net.http: its hand-overs between threads cost more than the call that is carried.
 *
 * <p>Nothing JVM-wide is used or changed: no ProxySelector, no Authenticator, no default
 * SSLContext. May import {@code client.config} and {@code protocol}; must not import link,
 * mediator, instrument.
 */
package io.rmigate.client.transport;
