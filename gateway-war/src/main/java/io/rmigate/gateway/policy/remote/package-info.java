/**
 * The remote interfaces that rules know: those in the configured jars, with the classes that their
 * signatures mention, and those of JMX. Of {@code policy} it imports {@code type} alone.
 */
package io.rmigate.gateway.policy.remote;
