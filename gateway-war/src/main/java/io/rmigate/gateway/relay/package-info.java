/**
 * Plain JRMP towards unmodified RMI servers, on non-blocking channels. A stream has a connection of
 * its own, which no other stream ever uses; only the gateway's own calls (leases, lookups, web
 * services) share connections, in {@link io.rmigate.gateway.relay.own.OwnPool} and {@link
 * io.rmigate.gateway.relay.own.BlockingPool}.
 *
 * <p>{@link io.rmigate.gateway.relay.RelayLoop} is the selector thread; {@link
 * io.rmigate.gateway.relay.ServerConnection} the state machine of one connection. Callers write
 * from their own threads. Knows nothing of frames, sessions or policy: must not import {@code
 * gateway.session} or {@code gateway.edge}.
 */
package io.rmigate.gateway.relay;
