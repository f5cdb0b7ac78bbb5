package io.rmigate.gateway.session;

import io.rmigate.gateway.callback.Callbacks;
import io.rmigate.gateway.lease.Leases;
import io.rmigate.gateway.relay.Relay;
import io.rmigate.gateway.relay.own.OwnCalls;

/**
 * The parts by which all sessions reach servers, and servers reach agents. They outlive sessions.
 *
 * @param leases of all sessions
 * @param calls the gateway's own calls, to registries that are watched
 * @param callbacks where the gateway listens for agents
 */
public record InnerParts(Relay relay, Leases leases, OwnCalls calls, Callbacks callbacks) {}
