/**
 * The proof that reading an object of a class does no harm, by the byte code of the configured
 * jars. {@link io.rmigate.gateway.scan.proof.HarmlessClasses} says of each class whether it is
 * proven, and if not, by which calls it is not.
 *
 * <p>{@code HarmlessCode} judges methods, with what they call; {@code MethodCheck} checks one of
 * them, instruction by instruction, with {@code Origins}, which tells where values come from, and
 * {@code ValueUses}, which counts what is done with them; {@code HarmlessCalls} lists what of the
 * JDK may be used. Code that is on no list is not harmless.
 */
package io.rmigate.gateway.scan.proof;
