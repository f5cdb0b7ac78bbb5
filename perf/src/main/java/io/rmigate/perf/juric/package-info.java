/**
 * The table of Juric, Kezmah, Hericko, Rozman and Vezocnik (2004), measured again: RMI, RMI through
 * HTTP as it was and as rmigate does it, and web services. {@link io.rmigate.perf.juric.Juric}
 * starts for each {@link io.rmigate.perf.ways.Way} a server, what is between, and a {@link
 * io.rmigate.perf.juric.JuricClient}, which take turns.
 */
package io.rmigate.perf.juric;
