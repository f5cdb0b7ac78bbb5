/**
 * The web-service front: SOAP and JSON over the remote objects that the gateway reaches.
 *
 * <p>{@link io.rmigate.soap.publish} makes a contract out of a plain remote interface, with the
 * types of {@link io.rmigate.soap.type}; {@link io.rmigate.soap.json} and {@link
 * io.rmigate.soap.soap} speak it. What this module needs of the gateway is declared in {@link
 * io.rmigate.soap.call}; the gateway depends on it and supplies that. It must not import {@code
 * io.rmigate.gateway}.
 */
package io.rmigate.soap;
