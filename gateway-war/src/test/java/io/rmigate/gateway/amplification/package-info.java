/**
 * The cost of one request for the gateway, over the cost of making and sending it for the client:
 * CPU time, which {@code perf/amplification} prints as a table, and allocated bytes, which {@link
 * io.rmigate.gateway.amplification.AllocationRatioTest} bounds. Client and gateway share one JVM;
 * {@link io.rmigate.gateway.amplification.Meter} tells their costs apart.
 */
package io.rmigate.gateway.amplification;
