package io.rmigate.gateway.session;

/**
 * The bounds of a session's streams.
 *
 * @param credit bytes per stream and direction that may be on their way unconsumed
 * @param maxHeldCallBytes how much is gathered of a call whose target is not known yet
 * @param callsAlone whether each Call goes over a connection of its own, which ends with its Return
 */
record StreamSettings(int credit, int maxHeldCallBytes, boolean callsAlone) {}
