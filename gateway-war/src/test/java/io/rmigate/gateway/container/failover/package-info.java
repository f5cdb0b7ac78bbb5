/** Gateways that are killed and stopped while real clients call real servers through them. */
package io.rmigate.gateway.container.failover;
