/**
 * What calls may carry: the rules of {@code classes} and of the entries of {@code targets} in the
 * configuration, applied to what {@link io.rmigate.gateway.scan} has seen in a message. It knows
 * neither sessions nor sockets: the caller says what a session has received, and acts on the
 * answer.
 *
 * <p>{@link io.rmigate.gateway.policy.CallRules} asks the rules, which are in {@code rule}; the
 * remote interfaces that they know are in {@code remote}, patterns and lists of classes in {@code
 * type}.
 *
 * <p>Deny by default, in this order: what no shape explains, what no honest sender writes, classes
 * by the first pattern that matches, then by {@code value-types.txt} (in messages to clients by
 * {@code client-value-types.txt}, too) and by what the interfaces in the configured jars mention.
 * Having a shape is not being allowed. Calls of agents for traces, which no interface has, pass in
 * the form that {@code TraceContext} knows.
 *
 * <p><b>What goes to a server</b> is judged before any of it goes, and has a limit; unless the
 * configuration lets longer calls pass as they are judged. <b>What goes to a client</b> is judged
 * as it passes, and may have any length: a server is called because it is trusted to some degree,
 * its results have been waited for, and a client reads nothing of a class that was not judged
 * before. Of both {@link io.rmigate.gateway.policy.JudgedMessage} keeps class descriptors, since
 * the rest of the message may refer to them, and nothing else that has gone on.
 */
package io.rmigate.gateway.policy;
