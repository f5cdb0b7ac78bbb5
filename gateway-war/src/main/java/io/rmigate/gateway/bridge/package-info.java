/**
 * Calls of plain RMI servers from within the gateway, for the web-service front: what {@code
 * io.rmigate.soap.call} asks for. {@link io.rmigate.gateway.bridge.BridgeCalls} opens {@link
 * io.rmigate.gateway.bridge.BridgeVisit}s, one for each request; what these return of remote
 * references is kept by {@link io.rmigate.gateway.bridge.HeldReference}s.
 *
 * <p>Must not import {@code gateway.edge}.
 */
package io.rmigate.gateway.bridge;
