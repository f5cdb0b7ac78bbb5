/**
 * How the frames of a link are made shorter: content codings, negotiated by name, and what both
 * sides do with the one that was picked (PROTOCOL.md, "Coding").
 *
 * <p>{@link io.rmigate.protocol.coding.CodedWriter} stands between the batches of frames and the
 * transport, {@link io.rmigate.protocol.coding.CodedReader} between the transport and the session.
 * Whether to code at all is decided by the two sides, not here; here only is what both have in
 * common: not to waste time on data that does not shrink, and the bounds on what coded bytes may
 * become. Depends on {@code protocol.tunnel} and on {@code java.util.zip}; the tunnel package knows
 * nothing of this one.
 */
package io.rmigate.protocol.coding;
