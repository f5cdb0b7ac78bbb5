/**
 * The sample's {@link io.rmigate.sample.PerformanceTester} as web-service clients reach it, and as
 * Metro alone would serve it: what {@code perf/speed --services} compares with RMI.
 */
package io.rmigate.perf.services;
