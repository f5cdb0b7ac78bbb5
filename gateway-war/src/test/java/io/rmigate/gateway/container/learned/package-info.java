/**
 * Programs as they are, with class rules in force that were learnt from themselves: servers that
 * know nothing of it, a gateway, and clients.
 */
package io.rmigate.gateway.container.learned;
