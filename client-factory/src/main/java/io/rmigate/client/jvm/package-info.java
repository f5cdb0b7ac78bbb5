/**
 * What the agent needs of the JVM in which it is a guest: threads, and permissions of its own.
 *
 * <p>Imports the JDK only; every other package may use it.
 */
package io.rmigate.client.jvm;
