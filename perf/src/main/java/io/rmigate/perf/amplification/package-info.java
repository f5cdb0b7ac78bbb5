/**
 * {@code perf/amplification}: the CPU time that one request takes of the gateway, over the time
 * that its client takes to make and send it. {@link io.rmigate.perf.amplification.Amplification} is
 * the program. Both sides are in one JVM: {@link io.rmigate.perf.amplification.Meter} tells them
 * apart.
 *
 * <p>Besides the benchmarks below {@code src/jmh} only this package uses the gateway's own classes.
 */
package io.rmigate.perf.amplification;
