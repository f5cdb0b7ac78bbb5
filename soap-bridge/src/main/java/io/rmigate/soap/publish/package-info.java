/**
 * What is published: the classes of one entry in a loader of their own, and the contract made of
 * its remote interface.
 *
 * <p>{@link io.rmigate.soap.publish.Publication} holds both, {@link
 * io.rmigate.soap.publish.Publications} all entries. Nothing of the classes runs here. Must import
 * nothing of this module but {@link io.rmigate.soap.type}.
 */
package io.rmigate.soap.publish;
