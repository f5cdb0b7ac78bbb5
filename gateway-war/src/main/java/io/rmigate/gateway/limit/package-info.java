/**
 * Limits of what one caller may do.
 *
 * <pre>
 *  {@link io.rmigate.gateway.limit.Caller}       the owner of a quota, over all its sessions
 *  {@link io.rmigate.gateway.limit.CallLimiter}  the section {@code limits}: rate, calls in progress, bytes
 *    {@link io.rmigate.gateway.limit.CallPermit}   a call's place within all that hold for it
 *    {@link io.rmigate.gateway.limit.Admission}    the same, of a call that belongs to no session
 *  {@link io.rmigate.gateway.limit.ProxyClasses} what servers have made of its proxies, for good
 *  {@link io.rmigate.gateway.limit.WorkLimiter}  what links ask for besides calls that pass
 *  {@link io.rmigate.gateway.limit.Lockouts}     who was refused too many different things, and for how long
 * </pre>
 *
 * <p><i>Chores</i> are what a link has the gateway do besides passing calls on, such as to hold
 * objects, to look up names and to refuse; those not yet counted for the caller are {@link
 * io.rmigate.gateway.limit.PendingWork}. What is too much for {@code limits} is refused, and may be
 * repeated; whose chores are too many is read more slowly; who is locked out is refused everything
 * for a while. Knows no servers, no policy and no sessions.
 */
package io.rmigate.gateway.limit;
