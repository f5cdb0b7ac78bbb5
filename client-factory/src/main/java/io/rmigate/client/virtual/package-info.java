/**
 * Sockets that have no file descriptor: what {@link java.net.Socket} promises, answered in memory.
 *
 * <p>{@link io.rmigate.client.virtual.VirtualSocket} is what they have in common; {@link
 * io.rmigate.client.virtual.MemorySocket} makes pairs that are connected to each other and never
 * leave the JVM. Imports nothing else of the project.
 */
package io.rmigate.client.virtual;
