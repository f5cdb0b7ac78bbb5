/**
 * Calls that the gateway itself makes to servers: leases, lookups and web services. {@link
 * io.rmigate.gateway.relay.own.OwnCalls} shares the threads of the relay; {@link
 * io.rmigate.gateway.relay.own.BlockingCalls} blocks the thread of its caller.
 */
package io.rmigate.gateway.relay.own;
