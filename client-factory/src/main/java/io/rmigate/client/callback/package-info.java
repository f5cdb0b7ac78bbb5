/**
 * Callbacks: the gateway listens for the objects that this JVM exports, and what inner JVMs call
 * comes back over the link (PROTOCOL.md, section 11; JRMP.md 2.2 and 5.4).
 *
 * <pre>
 *   RMI runtime ── createServerSocket ──► {@link io.rmigate.client.callback.Callbacks#listen}
 *     CallbackServerSocket ◄── accept ──  Listener: its port, over one session after the other
 *     CallbackSocket       ◄── ACCEPT ──  a stream that the gateway has opened
 *     CollectorConnection  ◄── HOLD  ───  HeldObjects: a dirty of ours, answered by this JVM itself
 *     MemorySocket         ◄───────────  a stub of this JVM's own, called within it
 * </pre>
 *
 * All of the second column is a RuntimeSite. A sidecar has an {@link
 * io.rmigate.client.callback.ExportSite} of its own, for objects of other JVMs.
 *
 * <p>What stubs say where these objects are is settled before the first of them is exported, by
 * {@link io.rmigate.client.callback.ExportHost}. Imports {@code client.link}, {@code
 * client.virtual}, {@code client.stats} and {@code client.config}; is told by {@code
 * client.mediator} what the gateway says.
 */
package io.rmigate.client.callback;
