/**
 * One contract, run over plain RMI for a baseline and then through the gateway in every way of
 * running it. Whole processes on all sides: RMI servers, a gateway, and a client JVM that cannot
 * resolve the servers' names.
 */
package io.rmigate.gateway.container;
