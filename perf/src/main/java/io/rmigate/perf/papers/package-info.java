/**
 * The papers command: what this project's ancestors measured, measured again over an emulated slow
 * link. {@link io.rmigate.perf.papers.Papers} starts servers and gateway once and, for every {@link
 * io.rmigate.perf.papers.Workload} of every round and contestant, a fresh {@link
 * io.rmigate.perf.papers.PapersClient}; the link tells what crossed it in each {@link
 * io.rmigate.perf.papers.Phase}.
 *
 * <p>The client knows nothing of rmigate. Must not import the gateway nor the client; the protocol
 * only to read what crossed.
 */
package io.rmigate.perf.papers;
