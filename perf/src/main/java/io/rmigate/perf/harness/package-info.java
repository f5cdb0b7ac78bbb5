/**
 * Parts that all commands of this module use: command lines, child JVMs and the artefacts that they
 * run, statistics over rounds, and the circumstances of a result.
 *
 * <p>Needs Linux for {@code /proc} and {@code taskset}. Imports nothing of the module.
 */
package io.rmigate.perf.harness;
