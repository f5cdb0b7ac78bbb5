/**
 * What a call through the gateway costs. {@link io.rmigate.perf.speed} measures; {@link
 * io.rmigate.perf.relay} is what it is compared with. Nothing of the product depends on this.
 */
package io.rmigate.perf;
