/**
 * What the web-service front needs of the gateway: somebody who calls a remote object, somebody who
 * holds references, and somebody who says who may. The gateway implements these from its relay, its
 * leases and its policy; every instance speaks for one principal.
 */
package io.rmigate.soap.call;
