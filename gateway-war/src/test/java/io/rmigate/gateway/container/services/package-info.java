/**
 * The web-service front with real JVMs: gateways of each kind, and a server that counts what it
 * executes.
 */
package io.rmigate.gateway.container.services;
