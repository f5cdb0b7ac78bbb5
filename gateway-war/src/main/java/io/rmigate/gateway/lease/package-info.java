/**
 * The leases that the gateway holds inside for its agents' JVMs (PROTOCOL.md, section 9; {@link
 * java.rmi.dgc.DGC}). One {@link io.rmigate.gateway.lease.SessionLeases} per session, with a VMID
 * of its own, so that the end of one client concerns no other; below it one {@link
 * io.rmigate.gateway.lease.EndpointLeases} per server, which makes one call at a time: for its
 * {@link io.rmigate.gateway.lease.HeldObjects}, when its {@link
 * io.rmigate.gateway.lease.CallSchedule} says so.
 *
 * <p>Not a queue of operations but a list of objects, each with what the agent wants and what the
 * server is known to have: the next call is the one that brings the two together. So adjacent
 * operations become one by themselves, and a failure needs no undoing.
 *
 * <p>Knows nothing of links and frames' transport; what it needs of the world are a {@link
 * io.rmigate.gateway.lease.LeaseClock} and {@link io.rmigate.gateway.lease.LeaseServers}. Must not
 * import {@code gateway.session} or {@code gateway.edge}.
 */
package io.rmigate.gateway.lease;
