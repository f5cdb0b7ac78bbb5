/**
 * What calls may carry: the rules of {@code classes} and of the entries of {@code targets} in the
 * configuration, applied to what {@link io.rmigate.gateway.scan} has seen in a message. It knows
 * neither sessions nor sockets; whoever asks says what a session has received, and does with the
 * answer what is to be done.
 *
 * <p>Deny by default, in this order: what nobody can explain, what no honest sender writes, classes
 * by the first pattern that matches, then by {@code value-types.txt} and by what the interfaces in
 * the configured jars mention. Having a shape is not being allowed.
 */
package io.rmigate.gateway.policy;
