/**
 * The agent's half of a link: one session over one {@link io.rmigate.client.transport.Transport},
 * shared by all streams of the JVM.
 *
 * <p>Threads: callers write their own frames ({@link io.rmigate.client.link.LinkOutbound}) and take
 * turns in reading for all ({@link io.rmigate.client.link.LinkInbound}); a daemon reads while no
 * caller waits. {@link io.rmigate.client.link.LinkHeartbeat} watches over a link that rests, {@link
 * io.rmigate.client.link.SilenceWatch} over one that is silent while something waits. Neighbours:
 * {@code client.socket} above, {@code client.transport} below. Knows frames and bytes; must not
 * know JRMP ({@code io.rmigate.protocol.jrmp}).
 */
package io.rmigate.client.link;
