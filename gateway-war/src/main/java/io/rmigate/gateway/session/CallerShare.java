package io.rmigate.gateway.session;

import io.rmigate.gateway.policy.HeldBytes;

/**
 * What is counted for all sessions of one caller together.
 *
 * @param heldBytes room for what is held of calls and replies, to be looked into
 * @param collectorCalls what the caller's JVMs hold by calls of their own
 * @param chores what is asked for besides calls that pass
 */
record CallerShare(HeldBytes heldBytes, CollectorCalls collectorCalls, Chores chores) {}
