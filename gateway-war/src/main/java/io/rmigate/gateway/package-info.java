/**
 * The gateway. {@link io.rmigate.gateway.GatewayBootstrap} is the composition root: it opens what
 * servlets need, {@link io.rmigate.gateway.GatewayCore} joins the parts behind them, and {@link
 * io.rmigate.gateway.LiveConfiguration} makes the parts that a reload replaces.
 */
package io.rmigate.gateway;
