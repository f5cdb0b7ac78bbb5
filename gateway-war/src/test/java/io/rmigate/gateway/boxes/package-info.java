/**
 * What stands between clients and gateways in real networks: reverse proxies before the gateway,
 * started with the files that {@code deploy/} has for them, HTTP proxies by which clients leave
 * their network, and firewalls. {@link io.rmigate.gateway.boxes.BoxMatrix} goes through each of
 * them in each mode that it has; {@link io.rmigate.gateway.boxes.DeployedBoxesIT} through the files
 * of {@code deploy/} as they are.
 */
package io.rmigate.gateway.boxes;
