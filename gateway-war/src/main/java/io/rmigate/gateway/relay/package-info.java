/**
 * Plain JRMP towards unmodified RMI servers: one real connection per stream, never shared, on
 * non-blocking channels.
 *
 * <p>{@link io.rmigate.gateway.relay.RelayLoop} is the selector thread; {@link
 * io.rmigate.gateway.relay.ServerConnection} the state machine of one connection. Callers write
 * from their own threads. Knows nothing of frames, sessions or policy: must not import {@code
 * gateway.session} or {@code gateway.edge}.
 */
package io.rmigate.gateway.relay;
