/**
 * What both ends of the link share: the grammar of JRMP ({@link io.rmigate.protocol.jrmp}) and the
 * link protocol itself ({@link io.rmigate.protocol.tunnel}, written down in PROTOCOL.md).
 *
 * <p>The gateway imports these packages and nothing else of client-factory. Nothing here may import
 * {@code io.rmigate.client} or anything outside {@code java.base} (the {@code jrmp} package may use
 * types of {@code java.rmi}), open a socket, start a thread or read a clock.
 */
package io.rmigate.protocol;
