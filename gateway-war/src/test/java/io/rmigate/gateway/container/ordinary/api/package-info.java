/**
 * What the ordinary program shares between client and server, and the operator gives to a gateway:
 * remote interfaces and the values in their signatures.
 */
package io.rmigate.gateway.container.ordinary.api;
