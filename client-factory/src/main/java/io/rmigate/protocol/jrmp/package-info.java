/**
 * What RMI speaks on the wire: the constants of JRMP, the few records a mediator opens (call
 * headers, registry and DGC arguments, live references), the grammar that finds the end of a
 * message, and the exceptional Return a mediator makes itself.
 *
 * <p>Both ends of the link use it; it knows neither of them. Nothing in here loads a class named by
 * relayed bytes or reads them with an {@link java.io.ObjectInputStream}. Imports nothing but {@code
 * java.base}; {@code java.rmi} types stand only in the documentation and in {@link
 * io.rmigate.protocol.jrmp.ExceptionalReturn}.
 */
package io.rmigate.protocol.jrmp;
