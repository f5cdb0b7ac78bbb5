/**
 * The gateway. {@link io.rmigate.gateway.GatewayBootstrap} is the composition root: the only class
 * that knows the parts in the packages below and joins them.
 */
package io.rmigate.gateway;
