/**
 * The gateway's figures: one name per fact, counted where it happens through {@link
 * io.rmigate.gateway.view.SessionMeters}, published by {@link
 * io.rmigate.gateway.metrics.GatewayMetrics}.
 *
 * <p>Label values come from our own closed sets, never from clients. Micrometer stops in this
 * package; of the gateway it imports that one interface and nothing else.
 */
package io.rmigate.gateway.metrics;
