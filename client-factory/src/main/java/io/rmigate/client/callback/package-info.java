/**
 * Callbacks: the gateway listens for the objects that this JVM exports, and what inner JVMs call
 * comes back over the link (PROTOCOL.md, section 11; JRMP.md 2.2 and 5.4).
 *
 * <pre>
 *   RMI runtime ── createServerSocket ──► {@link io.rmigate.client.callback.Callbacks#share}
 *     SharedServerSocket   ◄── accept ──  OwnExport: the local port, and its Listener at the gateway
 *     CallbackSocket       ◄── ACCEPT ──  a stream that the gateway has opened
 *     CollectorConnection  ◄── HOLD  ───  HeldObjects: a dirty of ours, answered by this JVM itself
 *     MemorySocket         ◄───────────  a stub of this JVM's own, called within it
 * </pre>
 *
 * All of the second column is a RuntimeSite. A sidecar has an {@link
 * io.rmigate.client.callback.ExportSite} of its own, for objects of other JVMs.
 *
 * <p><b>References.</b> The RMI runtime exports locally and writes local endpoints. {@link
 * io.rmigate.client.callback.OwnReferences} changes them where they cross the tunnel:
 *
 * <pre>
 *   Call, argument        host:port ─► OutwardMessage ──► gateway's host:port    JrmpConversation
 *   Return of a callback  host:port ─► OutwardMessage ──► gateway's host:port    CallbackSocket
 *   Return, Call of one   host:port ◄─ ReferenceRewriter ◄── gateway's host:port of the same two
 * </pre>
 *
 * It is done here and not at the gateway, although the gateway knows layouts of more classes: only
 * this JVM can tell its own objects (by the unique part of their ObjIDs), the gateway would have to
 * be told of each export, and here nothing of the link changes, so that every gateway will do. What
 * the agent cannot parse is left to {@link io.rmigate.client.config.CallbacksHostname#JVM}, with
 * which the gateway's host is a property of the JVM before the first export ({@link
 * io.rmigate.client.callback.ExportHost}), and {@link io.rmigate.client.callback.Callbacks#listen}
 * takes the place of local listeners (CallbackServerSocket).
 *
 * <p>Imports {@code client.link}, {@code client.virtual}, {@code client.stats} and {@code
 * client.config}; is told by {@code client.mediator} what the gateway says.
 */
package io.rmigate.client.callback;
