package io.rmigate.gateway.view;

import io.rmigate.protocol.tunnel.Report;

/**
 * What plain RMI would have needed for what was done through the gateway, and what was needed, as
 * the agents say it; the bytes of the link are the gateway's own to count. Not checked: an agent
 * could say anything.
 *
 * @param plainRoundTrips round trips that plain RMI would have waited for
 * @param roundTrips that were waited for on the link
 * @param plainBytes of JRMP that plain RMI would have sent and received
 * @param lookups registry lookups answered by the agent
 * @param leaseCalls dirty and clean calls answered by the agent
 * @param pings pings and handshakes answered by the agent
 * @param leases remote references that the client's JVM holds now
 */
public record Savings(
    long plainRoundTrips,
    long roundTrips,
    long plainBytes,
    long lookups,
    long leaseCalls,
    long pings,
    long leases) {

  public static final Savings NOTHING = new Savings(0, 0, 0, 0, 0, 0, 0);

  /**
   * After the agent has reported again. Sums only ever grow, even if the agent reports less,
   * because counters must not fall.
   */
  public Savings after(Report told) {
    return new Savings(
        Math.max(plainRoundTrips, told.plainRoundTrips()),
        Math.max(roundTrips, told.roundTrips()),
        Math.max(plainBytes, told.plainBytes()),
        Math.max(lookups, told.lookups()),
        Math.max(leaseCalls, told.leaseCalls()),
        Math.max(pings, told.pings()),
        told.leases());
  }

  /** The savings since {@code before}. */
  public Savings since(Savings before) {
    return new Savings(
        plainRoundTrips - before.plainRoundTrips,
        roundTrips - before.roundTrips,
        plainBytes - before.plainBytes,
        lookups - before.lookups,
        leaseCalls - before.leaseCalls,
        pings - before.pings,
        leases - before.leases);
  }
}
