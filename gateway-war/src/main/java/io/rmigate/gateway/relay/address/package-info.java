/**
 * Addresses of servers: the names and literals of targets, the look-up of a name, the rule which
 * addresses the relay may connect to, and the addresses of this machine.
 */
package io.rmigate.gateway.relay.address;
