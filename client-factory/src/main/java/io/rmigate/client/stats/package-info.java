/**
 * What rmigate has done in this JVM and what it has saved: the account that everybody adds to, and
 * the MBean {@code io.rmigate:type=Stats} that shows it.
 *
 * <p>Imports nothing else of the client: link, mediator and sockets count here, {@code
 * io.rmigate.client.Rmigate} registers the MBean.
 */
package io.rmigate.client.stats;
