/**
 * The web-service front: SOAP and JSON over the remote objects that the gateway reaches.
 *
 * <p>This module declares what it needs of the gateway (invoker, policy, audit) as interfaces; the
 * gateway depends on it and supplies them. It must not import {@code io.rmigate.gateway}.
 */
package io.rmigate.soap;
