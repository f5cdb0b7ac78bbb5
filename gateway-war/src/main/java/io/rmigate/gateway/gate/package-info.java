/**
 * The mediator proxy's judgement of the form of what the mediator agents send, and of registry
 * operations: which request may go to a server, and how. Works on whole requests, on the beginning
 * of longer ones, and on the names in a registry's list, without class loading; knows no sockets
 * and no sessions. What a request carries is judged by {@link io.rmigate.gateway.policy}.
 */
package io.rmigate.gateway.gate;
