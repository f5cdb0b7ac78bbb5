/**
 * The servlet edge: what a container calls. Container types stop here and in login.
 *
 * <p>Health, metrics and admin are read-only views; the tunnel's endpoint accepts links. Nothing
 * else is served: a servlet in the place of the container's default one answers 404, so that no
 * file or class of the WAR can be read. Must not import standalone or relay.
 */
package io.rmigate.gateway.edge;
