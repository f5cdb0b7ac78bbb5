/**
 * Where the calls of a session go, and what it was given there: the section {@code targets} of the
 * configuration, with what servers have handed out to the session besides.
 *
 * <pre>
 *  {@link io.rmigate.gateway.route.TargetPolicy}        what each principal may reach, and do there; replaced as a whole by a reload
 *    {@link io.rmigate.gateway.route.TargetGrant}         an entry of {@code targets}
 *    {@link io.rmigate.gateway.route.RawGrant}            an entry of {@code raw}
 *    {@link io.rmigate.gateway.route.EndpointMapping}     servers that do not know their name
 *  {@link io.rmigate.gateway.route.SessionRoutes}        the {@link io.rmigate.gateway.route.Route} from an endpoint in a stub to a server, in one session
 *    {@link io.rmigate.gateway.route.LearnedEndpoints}     endpoints that permitted registries have named in it
 *    {@link io.rmigate.gateway.route.ReceivedReferences}  objects that it was given: it may call them, and name them in arguments
 *    {@link io.rmigate.gateway.route.FormerSessions}      what its caller's earlier sessions held
 *    {@link io.rmigate.gateway.route.RouteNotes}          what mode {@code learn} sees of all that
 *  {@link io.rmigate.gateway.route.PrincipalRoutes}     the same for calls that the gateway makes itself for a principal
 *  {@link io.rmigate.gateway.route.LocalTargets}        registries for which the gateway counts as local, told at the start
 * </pre>
 *
 * <p>A host is judged twice: as the string that a stub says, here, and by its addresses when it has
 * been resolved, in {@link io.rmigate.gateway.relay}. Words of its own:
 *
 * <ul>
 *   <li><i>given</i>: handed out by a server to a session, and so fit to be called and named
 *       ({@code ReceivedReferences}); <i>given room</i> is how much of that one caller's sessions
 *       may have remembered ({@link io.rmigate.gateway.quota.Share})
 *   <li><i>claimed</i>: named to a server by the agent, so that it says nothing when that server
 *       hands it out again
 *   <li><i>former sessions</i>: those of a caller that have ended, or wait without a link, by what
 *       they held when they did; the next one goes on with that ({@code FormerSessions}, {@code
 *       KeptObjects})
 *   <li><i>learnt</i>: of endpoints, named by a permitted registry and so permitted in this session
 *       ({@code LearnedEndpoints}); of rules, noted in mode {@code learn} instead of refused
 *       ({@code RouteNotes}, {@link io.rmigate.gateway.policy.rule.LearnedNotes}, spelt as in
 *       {@code policy learned} and {@code learned.jsonl})
 * </ul>
 *
 * <p>Knows no sessions: those ask it.
 */
package io.rmigate.gateway.route;
