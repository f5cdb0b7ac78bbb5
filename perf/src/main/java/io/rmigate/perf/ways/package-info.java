/**
 * The ways of a client to the sample's {@link io.rmigate.sample.PerformanceTester}: plain RMI,
 * rmigate's, the web services, and the tunnelling that JDKs had until version 8. A JVM takes one
 * {@link io.rmigate.perf.ways.Way} for its whole life, since RMI has one socket factory.
 */
package io.rmigate.perf.ways;
