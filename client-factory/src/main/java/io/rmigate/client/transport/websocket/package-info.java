/**
 * The WebSocket transport (RFC 6455): {@code WebSocketProtocol} has the constants, {@code
 * WebSocketFrameReader} and {@code WebSocketFrameWriter} the codec, {@code WebSocketTransport} the
 * state, {@code WebSocketHandshake} the upgrade.
 */
package io.rmigate.client.transport.websocket;
