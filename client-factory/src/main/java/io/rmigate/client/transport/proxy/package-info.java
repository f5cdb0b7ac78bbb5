/**
 * HTTP proxies: {@link io.rmigate.client.transport.proxy.Routes} says through which of them a
 * connection leads, with a {@link io.rmigate.client.transport.proxy.PacFile} where one is
 * configured; {@link io.rmigate.client.transport.proxy.HttpTunnel} asks one for a connection;
 * {@link io.rmigate.client.transport.proxy.ProxyRefusal} explains its refusal. {@link
 * io.rmigate.client.transport.proxy.GatewayDialer} and {@link
 * io.rmigate.client.transport.proxy.ServerDialer} open connections by these routes.
 */
package io.rmigate.client.transport.proxy;
