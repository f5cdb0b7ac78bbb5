/**
 * Tunnel sessions: one per agent, from its hello to its end, with the streams it has open.
 *
 * <pre>
 *  {@link io.rmigate.gateway.session.SessionRegistry}      all sessions, and what they share
 *  {@link io.rmigate.gateway.session.TunnelSession}        takes one agent's frames, over one connection after another
 *    SessionCarrier, OutboundQueue     its connection at present, and what goes out there
 *    SessionClock, SessionLogin        how long it lasts, and on whose word
 *    SessionKnowledge                  what it was given, and may name and call
 *    SessionTargets                    the servers that its streams go to
 *    SessionParts                      leases, lookups, grants, callbacks: what was agreed on
 *    CallerShare                       what is counted for all sessions of its caller
 *    TunnelStream, RawStream           one JRMP connection, or another one
 * </pre>
 *
 * <p>A call's way through the gate: {@code RequestGathering} collects it, {@code RequestJudge} asks
 * in this order for its login, the audit, lockouts, its deadline, the way to its target, its form,
 * its object, its contents, its names and the limits, with {@code CollectorRequests}, {@code
 * RegistryRequests} and {@code StreamedCall} for the kinds that these are, and {@code
 * RequestRefusals} for what does not pass; {@code StreamConnections} sends it; {@code ReturnPath}
 * judges what comes back. {@code InsideRoutes} and {@code ReceivedReferences} know what the session
 * was given, {@code TargetPolicy} what it may do. The container's types stop at {@code
 * gateway.edge}, sockets to servers at {@code gateway.relay}.
 *
 * <p>Words of its own:
 *
 * <ul>
 *   <li><i>chores</i>: what a link has the gateway do besides passing calls on, such as to hold
 *       objects, to look up names and to refuse; counted for each caller ({@code Chores}), and not
 *       yet counted in its session ({@code NewChores})
 *   <li><i>caller</i>: whom things are counted for, over all its sessions ({@code Caller})
 *   <li><i>former sessions</i>: those of a caller that have ended, or wait without a link, by what
 *       they held when they did; the next one goes on with that ({@code FormerSessions}, {@code
 *       KeptObjects})
 *   <li><i>given</i>: handed out by a server to a session, and so fit to be called and named
 *       ({@code ReceivedReferences}); <i>given room</i> is how much of that one caller's sessions
 *       may have remembered ({@code GivenRoom})
 *   <li><i>learnt</i>: of endpoints, named by a permitted registry and so permitted in this session
 *       ({@code LearntEndpoints}); of rules, noted in mode {@code learn} instead of refused ({@code
 *       RouteNotes}, {@link io.rmigate.gateway.policy.LearnedNotes}, spelt as in {@code policy
 *       learned} and {@code learned.jsonl})
 *   <li><i>claimed</i>: named to a server by the agent, so that it says nothing when that server
 *       hands it out again
 * </ul>
 */
package io.rmigate.gateway.session;
