/**
 * The interfaces that the web-service front needs from the gateway: one calls a remote object, one
 * holds references, and one decides about permissions. The gateway implements these from its relay,
 * its leases and its policy; every instance speaks for one principal.
 */
package io.rmigate.soap.call;
