/** Clients that repeat calls by themselves, and a gateway that refuses results. */
package io.rmigate.gateway.container.repeats;
