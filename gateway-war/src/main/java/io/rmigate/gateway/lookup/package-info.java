/**
 * The names in registries that agents hold bindings of (PROTOCOL.md, section 10), each watched once
 * for all sessions that may see it: {@link io.rmigate.gateway.lookup.RegistryWatch} polls, compares
 * and tells. A {@link io.rmigate.gateway.lookup.WatchedName} has what is known of it and its
 * lookups, {@link io.rmigate.gateway.lookup.Subscriptions} what one session holds, a {@link
 * io.rmigate.gateway.lookup.WatchedRegistry} the gateway's own leases on what is bound.
 *
 * <p>Knows sessions only as {@link io.rmigate.gateway.lookup.BindingHolder}s; what they may look up
 * is their affair. Must not import {@code gateway.session} or {@code gateway.edge}.
 */
package io.rmigate.gateway.lookup;
