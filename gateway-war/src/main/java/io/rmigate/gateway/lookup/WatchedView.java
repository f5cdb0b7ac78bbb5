package io.rmigate.gateway.lookup;

import java.util.List;

/**
 * A watched name, for the admin JSON.
 *
 * @param bound what it is bound to, endpoint and object; empty while that is not known
 * @param ageMillis since the registry was last asked with success; −1 while nothing is known
 * @param holders sessions that answer with it
 * @param kept whether the configuration names it
 */
public record WatchedView(
    String registry, String name, List<String> bound, long ageMillis, int holders, boolean kept) {}
