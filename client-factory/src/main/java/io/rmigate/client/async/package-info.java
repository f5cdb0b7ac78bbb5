/**
 * Calls of remote objects for whose results no thread waits: {@link
 * io.rmigate.client.async.AsyncStub}, which {@code Rmigate.async} makes.
 *
 * <pre>
 *   {@link io.rmigate.client.async.AsyncStub}     what applications use
 *     CallRecorder    which method, with which arguments
 *     StubReference   where the object is, from its stub
 *     PreparedCall    the JRMP message: marshalled, not sent
 *     CallThrottle    how many calls are under way
 *     PendingCall     one call under way: its connection, its time, its outcome
 *       CallConnection  one JRMP connection; ServerConnections keeps those that idle
 *       Reply           the Return: value or exception, references
 *   {@link io.rmigate.client.async.AsyncCall}     the future, and what has become of the call
 *   {@link io.rmigate.client.async.ReadAhead}     calls of one cursor, ahead of their need
 *     SequencedConnections  those whose calls the gateway keeps in order
 * </pre>
 *
 * <p>It speaks JRMP as the RMI runtime does, over sockets of the factory that the RMI runtime would
 * use: so each call travels, is judged and is mediated like any other. A {@link
 * io.rmigate.client.socket.TunnelSocket} tells when the Return begins; on all others a thread of a
 * bounded pool waits.
 *
 * <p>Must not import {@code client.mediator}. Nothing here is loaded before the first use.
 */
package io.rmigate.client.async;
