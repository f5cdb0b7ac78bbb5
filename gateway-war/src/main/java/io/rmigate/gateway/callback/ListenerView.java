package io.rmigate.gateway.callback;

import java.time.Instant;
import java.util.Map;

/**
 * A port at which the gateway listens for an agent, for people: an immutable snapshot.
 *
 * @param session its public identifier
 * @param connections of inner JVMs
 * @param peers how many connections each inner host has; some, if they are many
 * @param holders inner JVMs with a lease
 * @param held objects that at least one of them holds
 * @param calls since the port was taken
 */
public record ListenerView(
    int port,
    String session,
    String principal,
    Instant since,
    int connections,
    Map<String, Integer> peers,
    int holders,
    int held,
    long calls) {}
