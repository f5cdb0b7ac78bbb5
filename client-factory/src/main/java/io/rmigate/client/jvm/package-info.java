/**
 * What the agent needs of the JVM in which it is a guest: threads, permissions of its own, and a
 * level for its log.
 *
 * <p>Imports the JDK only; every other package may use it.
 */
package io.rmigate.client.jvm;
