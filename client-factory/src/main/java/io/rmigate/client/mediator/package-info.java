/**
 * The mediator agent: which link a stream goes over, when a lost one is opened again, and what the
 * application is told when something failed on the far side.
 *
 * <p>"Agent" here is the mediator's client-side half (Wireless Java RMI), not the javaagent, which
 * is {@code client.instrument}. Must not be imported by {@code client.link}.
 */
package io.rmigate.client.mediator;
