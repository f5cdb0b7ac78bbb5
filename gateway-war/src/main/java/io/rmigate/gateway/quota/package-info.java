/**
 * Shares of bounded resources: counting, and nothing else.
 *
 * <pre>
 *  {@link io.rmigate.gateway.quota.Quota}   how much there is, and how much of it one holder may have
 *  {@link io.rmigate.gateway.quota.Share}   the units that one holder has, or all holders together
 *  {@link io.rmigate.gateway.quota.Shares}  the shares of holders with a name or an address
 *    {@link io.rmigate.gateway.quota.Permit}  what a request has of the share of its holder, until it ends
 *  {@link io.rmigate.gateway.quota.Places}  shares for which threads wait in a line
 *  {@link io.rmigate.gateway.quota.WaitingRoom}  what one owner has of a share, taken in steps
 * </pre>
 *
 * <p>The class that owns a limit has its quota as a constant; {@code SECURITY.md} lists all of
 * them. Imports only the JDK.
 */
package io.rmigate.gateway.quota;
