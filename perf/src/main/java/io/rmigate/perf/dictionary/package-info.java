/**
 * Makes the preset dictionary of the link's compression: records the messages between real JVMs in
 * RMI ({@link io.rmigate.perf.dictionary.Exchanges}), and chooses from several such recordings the
 * boilerplate that they have in common ({@link io.rmigate.perf.dictionary.Trainer}). Started by
 * {@code perf/dictionary}; the same recordings always give the same bytes.
 */
package io.rmigate.perf.dictionary;
