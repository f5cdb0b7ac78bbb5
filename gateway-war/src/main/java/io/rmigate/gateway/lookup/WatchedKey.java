package io.rmigate.gateway.lookup;

import io.rmigate.gateway.relay.address.Target;

/**
 * What is watched once, whoever holds it.
 *
 * @param registry with the addresses that its name may stand for, which differ by policy
 */
public record WatchedKey(Target registry, String name) {}
