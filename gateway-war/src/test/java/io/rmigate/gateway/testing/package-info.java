/**
 * The stage for tests that need whole processes: child JVMs, a network inside that only some of
 * them can name, gateways in every container that is claimed to work, and a check that nothing
 * outlives a test class. Knows containers and command lines, not what is tested with them; imports
 * the sample programs and nothing of the gateway itself.
 */
package io.rmigate.gateway.testing;
