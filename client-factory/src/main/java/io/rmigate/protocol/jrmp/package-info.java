/**
 * The grammar of JRMP and of object streams: its constants, the identifiers of endpoints, objects
 * and JVMs, and {@link io.rmigate.protocol.jrmp.MessageGrammar}, which finds the end of a message
 * and tells a {@link io.rmigate.protocol.jrmp.StreamObserver} what stands in it. What single
 * messages mean is in {@code message}, which this package does not import.
 *
 * <p>Both ends of the link use it; it knows neither of them. Nothing in here loads a class named by
 * relayed bytes or reads them with an {@link java.io.ObjectInputStream}. Imports nothing but {@code
 * java.base}; {@code java.rmi} types stand only in the documentation.
 */
package io.rmigate.protocol.jrmp;
