/**
 * The tunnel in HTTP POSTs (PROTOCOL.md, section 4), for networks that do not let a WebSocket
 * through: {@link io.rmigate.gateway.edge.post.PostDoor} reads a request and finds out who asks,
 * {@link io.rmigate.gateway.edge.post.PostConnections} knows the connections, {@link
 * io.rmigate.gateway.edge.post.PostConnection} puts requests into their order and answers them,
 * {@link io.rmigate.gateway.edge.post.PostExchange} is the container's request that waits.
 *
 * <p>The scheme is that of XMPP's BOSH (XEP-0124), with binary bodies: requests are numbered, the
 * answer to each is kept until it is known to have arrived, few wait for something to answer them
 * with. Above this layer is a byte stream; what outlives its loss is the session.
 */
package io.rmigate.gateway.edge.post;
