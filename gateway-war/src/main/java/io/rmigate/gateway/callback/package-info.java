/**
 * Callbacks (PROTOCOL.md, section 11): the gateway listens for objects that agents' JVMs export,
 * and inner JVMs call them over the link.
 *
 * <pre>
 *   LISTEN ──► SessionListeners ──► Callbacks ──► InnerPorts ──► PortLedger   which port, whose
 *                     │
 *                CallbackListener ── SessionReferences ──► HOLD, RELEASE    who holds what
 *                     │ accepts from InnerPeers, whose names PeerNames knows
 *                     │ lets in, by the ConnectionAdmission               where there are places
 *   ACCEPT, DATA ◄── CallbackStream ◄── InnerMessageReader ◄── inner JVM  messages
 *                     │ InnerReturn      └► InnerAnswers                  what is answered here
 *   DATA ──────────►  └► InnerOutput ◄──────┘  ─────────► inner JVM
 * </pre>
 *
 * <p>What an inner JVM asks that its peer need not be asked for, preamble, Ping, dirty and clean,
 * is answered here; no inner connection that only idles costs the link anything. Nothing blocks and
 * nothing has a thread: all sockets of a session are on its relay loop.
 *
 * <p>Knows sessions only as {@link io.rmigate.gateway.callback.CallbackLink}. Must not import
 * {@code session}, {@code edge} or {@code config}.
 */
package io.rmigate.gateway.callback;
