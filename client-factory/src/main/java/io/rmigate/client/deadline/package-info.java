/**
 * How long calls may take: the rules of the configuration, the scopes of threads, the clock of one
 * call, and what its caller is told when the time is over. Knows neither links nor sockets, which
 * keep the time ({@link io.rmigate.client.link}, {@link io.rmigate.client.socket}).
 *
 * <p>Without a rule and outside of a scope nothing here runs but the look whether there is one, and
 * nothing more crosses the link.
 */
package io.rmigate.client.deadline;
