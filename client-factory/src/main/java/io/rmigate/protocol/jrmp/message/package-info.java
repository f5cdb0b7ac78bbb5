/**
 * The few messages of JRMP that a mediator opens or makes: headers of calls and Returns, calls of
 * the registry and of the DGC with their Returns, live references, and the exceptional Return of a
 * mediator's own.
 *
 * <p>Decodes by the grammar of {@link io.rmigate.protocol.jrmp}: nothing in here loads a class that
 * relayed bytes name. Types of {@code java.rmi} stand only in the documentation and in {@link
 * io.rmigate.protocol.jrmp.message.ExceptionalReturn}.
 */
package io.rmigate.protocol.jrmp.message;
