/** Listening ports on the inner interface, and the connections that inner JVMs open to them. */
package io.rmigate.gateway.relay.listener;
