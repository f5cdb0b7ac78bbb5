/**
 * The link protocol: frames as records, their reader and writer, the numbers of PROTOCOL.md.
 *
 * <p>One file per frame, named as in PROTOCOL.md; encoding and decoding stand next to each other.
 * {@link io.rmigate.protocol.tunnel.FrameReader} and {@link io.rmigate.protocol.tunnel.FrameOutput}
 * know no stream states: what may follow what is the business of the two sessions that use them.
 */
package io.rmigate.protocol.tunnel;
