package io.rmigate.gateway.lookup;

import io.rmigate.gateway.relay.address.Target;

/**
 * The key of a name that is watched once for all sessions.
 *
 * @param registry with the addresses that its name may stand for, which differ by policy
 */
public record WatchedKey(Target registry, String name) {}
