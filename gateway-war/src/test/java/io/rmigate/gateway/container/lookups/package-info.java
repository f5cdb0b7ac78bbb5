/** Lookups that are answered by the mediator, with real clients, gateways and registries. */
package io.rmigate.gateway.container.lookups;
