package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;
import java.util.Arrays;

/**
 * What the agent's JVM has done in this session so far, so that the gateway can say what was saved:
 * only the agent sees what never crosses the link. For people; nothing depends on it. All figures
 * are sums since the session's beginning.
 *
 * @param plainRoundTrips what plain RMI would have waited for: connects, handshakes, pings, calls
 * @param plainBytes what plain RMI would have sent and received, all of JRMP
 * @param roundTrips what was waited for on the link
 * @param lookups registry lookups that the agent answered from its cache
 * @param leaseCalls calls of distributed garbage collection that the agent answered
 * @param pings pings and handshakes that the agent answered
 * @param leases remote references that the JVM holds now
 */
public record Report(
    long plainRoundTrips,
    long plainBytes,
    long roundTrips,
    long lookups,
    long leaseCalls,
    long pings,
    long leases)
    implements Frame {

  /** The report of a session that has done nothing yet. */
  public static final Report NOTHING = new Report(0, 0, 0, 0, 0, 0, 0);

  /** This report, of a session in which the JVM holds nothing any more. */
  public Report withoutLeases() {
    return new Report(plainRoundTrips, plainBytes, roundTrips, lookups, leaseCalls, pings, 0);
  }

  // Written out: equals and hashCode of records load java.lang.invoke at the start of a program.
  @Override
  public boolean equals(Object other) {
    return other instanceof Report report
        && plainRoundTrips == report.plainRoundTrips
        && plainBytes == report.plainBytes
        && roundTrips == report.roundTrips
        && lookups == report.lookups
        && leaseCalls == report.leaseCalls
        && pings == report.pings
        && leases == report.leases;
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(
        new long[] {plainRoundTrips, plainBytes, roundTrips, lookups, leaseCalls, pings, leases});
  }

  @Override
  public FrameType type() {
    return FrameType.REPORT;
  }

  @Override
  public String detail() {
    return "plain %d trips %d bytes, link %d trips, saved %d lookups %d leases %d pings, holds %d"
        .formatted(plainRoundTrips, plainBytes, roundTrips, lookups, leaseCalls, pings, leases);
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.varint(plainRoundTrips);
    out.varint(plainBytes);
    out.varint(roundTrips);
    out.varint(lookups);
    out.varint(leaseCalls);
    out.varint(pings);
    out.varint(leases);
  }

  static Report decode(int stream, FrameInput in) throws ProtocolViolationException {
    return new Report(
        in.varlong(Long.MAX_VALUE),
        in.varlong(Long.MAX_VALUE),
        in.varlong(Long.MAX_VALUE),
        in.varlong(Long.MAX_VALUE),
        in.varlong(Long.MAX_VALUE),
        in.varlong(Long.MAX_VALUE),
        in.varlong(Long.MAX_VALUE));
  }
}
