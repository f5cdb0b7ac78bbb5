/**
 * What the commands of this module share: the JVMs they start, the artefacts these run, statistics
 * over rounds, and the circumstances that belong to every result.
 *
 * <p>Linux only where it says so ({@code /proc}, {@code taskset}). Imports nothing of the module.
 */
package io.rmigate.perf.harness;
