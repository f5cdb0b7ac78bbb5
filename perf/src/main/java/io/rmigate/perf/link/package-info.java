/**
 * A slow link on one machine: {@link io.rmigate.perf.link.EmulatedLink} is a TCP relay whose two
 * directions have the rate, the delay and the buffer of a {@link io.rmigate.perf.link.LinkProfile},
 * shared by all connections through it as they would share a modem.
 *
 * <p>Each connection's bytes are cut into packets of a TCP segment's size; a packet waits for its
 * {@link io.rmigate.perf.link.Line}, leaves at the line's rate, and arrives whole after the delay.
 *
 * <p><b>Charged</b>: the payload's bytes at the rate, the delay, waiting behind other connections'
 * packets, a full buffer, and one round trip for setting a connection up. <b>Reported only</b>, by
 * {@link io.rmigate.perf.link.TcpOverhead}, since TCP is local here: headers, acknowledgements, the
 * segments that open and close a connection, and the pauses of slow start. All of these weigh on
 * the system with more connections and more packets, so that leaving them out favours plain RMI.
 * <b>Left out</b>: loss, jitter, and the effects of a radio.
 *
 * <p>Imports nothing but the JDK.
 */
package io.rmigate.perf.link;
