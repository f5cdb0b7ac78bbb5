/**
 * The sidecar with real JVMs at both ends: clients that have nothing of the product on their class
 * path and no agent, and come by SOCKS or to a forwarded port.
 */
package io.rmigate.gateway.container.sidecar;
