/**
 * The mediator agent as a process, for JVMs that must not be touched: they come by SOCKS, or to a
 * port that stands for one server. Their connections are real ones, and JRMP on them is mediated by
 * the same classes as within a JVM; only where a request ends has to be found here ({@link
 * io.rmigate.client.socket.MediatedConnection}).
 *
 * <p><b>One session for all.</b> A JVM says who it is in its dirty and clean calls and nowhere
 * else: neither its other connections nor its DgcAcks name it. A session for each would have to
 * guess where they belong, and a DgcAck in another session than its dirty would go around the
 * barrier. So all share one session, and references are counted by JVM ({@code ClientJvms}): the
 * gateway holds what at least one of them holds, and one that does not renew its short lease here
 * is taken to be dead.
 *
 * <p><b>The other way round</b>, a {@link io.rmigate.client.program.sidecar.ReverseForward} is to
 * {@code client.callback} what the RMI runtime is within a JVM: it takes what inner JVMs call to a
 * JVM here, and plays the client of its garbage collector.
 *
 * <pre>
 *   ReverseForwards: which ports ─► ReverseForward ─► ReverseConnection ─► LocalCall   ─► LocalJvm
 *                                          └────────► LocalCollector ────────────────────────┘
 * </pre>
 */
package io.rmigate.client.program.sidecar;
