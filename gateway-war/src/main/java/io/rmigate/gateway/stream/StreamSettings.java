package io.rmigate.gateway.stream;

/**
 * The bounds of a session's streams.
 *
 * @param credit bytes per stream and direction that may be on their way unconsumed
 * @param maxHeldCallBytes how much is gathered of a call whose target is not known yet
 * @param callsAlone whether each Call goes over a connection of its own, which ends with its Return
 */
public record StreamSettings(int credit, int maxHeldCallBytes, boolean callsAlone) {}
