/**
 * The public entry of client-factory: {@link io.rmigate.client.Rmigate} for programs that take one
 * line, {@link io.rmigate.client.TunnelSocketFactory} for those that want a factory in their own
 * hands. The javaagent ({@code client.instrument}) uses the same.
 *
 * <p>Below: {@code config} (keys), {@code mediator} (which link), {@code socket} (what RMI sees),
 * {@code link} (frames and threads), {@code transport} (bytes).
 */
package io.rmigate.client;
