/**
 * What runs in the client JVM of the integration tests: the cases of the tunnel's contract, written
 * against plain RMI. Each holds without a tunnel too, which {@code PlainRmiBaselineIT} proves; the
 * few that do not say so.
 *
 * <p>Must not import anything of rmigate but the sample programs' interfaces: the client is an
 * application that does not know what carries its calls.
 */
package io.rmigate.gateway.container.probe;
