/**
 * The door of the javaagent: reads its arguments and puts the tunnelling socket factory where the
 * RMI runtime takes its default one, before the application's first line runs.
 *
 * <p>Imports {@code client} and {@code client.config}; nothing imports this package. Logs only once
 * the application uses RMI: a logger asked for in premain would make java.util.logging choose its
 * manager before application servers have had their say. Nor is there a thread or a connection
 * before.
 */
package io.rmigate.client.instrument;
