package io.rmigate.gateway.grant;

import io.rmigate.protocol.jrmp.EndpointId;

/**
 * A registry that has handed out a reference to an endpoint.
 *
 * @param asked as the agent has named it
 * @param reached the host at which it was reached, at the same port
 */
public record NamedRegistry(EndpointId asked, String reached) {}
