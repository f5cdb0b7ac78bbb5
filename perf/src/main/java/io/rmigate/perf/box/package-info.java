/**
 * Intermediaries between client and gateway in the scenarios of {@code perf/gatling}: HTTP proxies
 * and firewalls, each with one habit. Loopback only; bounded in connections, line lengths and
 * bodies; all threads are daemons.
 */
package io.rmigate.perf.box;
