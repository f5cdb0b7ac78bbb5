package io.rmigate.client.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What this JVM's RMI has done through rmigate, beside what the same would have cost without it.
 * Sums since the JVM's start; only {@link #leases} and {@link #callbackPorts} go down. Thread-safe;
 * counting is one addition without a lock.
 *
 * <p>Plain RMI is reckoned by what the RMI runtime does on its sockets, of which each is a
 * connection that it would have opened: two round trips for a new one (TCP's and JRMP's
 * handshakes), one for a ping and one for a call, be it of the application, the registry or the
 * garbage collection; DgcAck has no answer. The runtime pings before it uses a connection again
 * that has rested for longer than two round trips of its last ping (JRMP.md 1.4). Here a ping takes
 * no time, so that it pings always; what it would not have done on the link's round trips is left
 * out. Bytes are those of JRMP. What TCP and IP would have added is left out, which is in plain
 * RMI's favour.
 */
public final class UsageCounters {
  private final LongAdder connections = new LongAdder();
  private final LongAdder pings = new LongAdder();
  private final LongAdder needlessPings = new LongAdder();
  private final LongAdder calls = new LongAdder();
  private final LongAdder plainBytes = new LongAdder();
  private final LongAdder roundTrips = new LongAdder();
  private final LongAdder lookups = new LongAdder();
  private final LongAdder leaseCalls = new LongAdder();
  private final LongAdder leases = new LongAdder();
  private final LongAdder callbacks = new LongAdder();
  private final LongAdder callbackPorts = new LongAdder();
  private final LongAdder callbackPortsLost = new LongAdder();
  private final LongAdder opaqueConnections = new LongAdder();
  private final LongAdder opaqueBytes = new LongAdder();

  /** Guards what is known of links, so that none is missed or counted twice as it ends. */
  private final ReentrantLock links = new ReentrantLock();

  /** Open links, including links that only drain. */
  private final List<LinkTraffic.Meter> open = new ArrayList<>();

  private LinkTraffic ended = LinkTraffic.NONE;

  /**
   * The sums at one moment.
   *
   * @param connections that the RMI runtime has opened; each handshake was answered here
   * @param pings answered here
   * @param needlessPings of those; plain RMI would not have sent them
   * @param calls of all kinds, answered here, by the gateway or by the server
   * @param plainBytes of JRMP, both ways
   * @param roundTrips that were waited for on the link
   * @param lookups answered here
   * @param leaseCalls dirty and clean calls answered here
   * @param leases remote references held now, by the gateway on our behalf
   * @param callbacks calls of inner JVMs to objects of this one
   * @param callbackPorts at which the gateway listens for it now, or should
   * @param callbackPortsLost how often a new session's gateway did not listen at one of these
   * @param opaqueConnections that were carried and not looked into
   * @param opaqueBytes of those, both ways
   * @param traffic on all links
   */
  public record Sums(
      long connections,
      long pings,
      long needlessPings,
      long calls,
      long plainBytes,
      long roundTrips,
      long lookups,
      long leaseCalls,
      long leases,
      long callbacks,
      long callbackPorts,
      long callbackPortsLost,
      long opaqueConnections,
      long opaqueBytes,
      LinkTraffic traffic) {

    /** Round trips that plain RMI would have waited for. */
    public long plainRoundTrips() {
      return 2 * connections + pings - needlessPings + calls;
    }
  }

  /** The RMI runtime has opened a connection and its handshake was answered here. */
  public void connectionOpened() {
    connections.increment();
  }

  /**
   * A ping was answered here.
   *
   * @param needed plain RMI would have sent it too
   */
  public void pingAnswered(boolean needed) {
    pings.increment();
    if (!needed) {
      needlessPings.increment();
    }
  }

  /** The RMI runtime has made a call. */
  public void called() {
    calls.increment();
  }

  /** The RMI runtime has written or read {@code count} bytes of JRMP. */
  public void plainBytes(int count) {
    plainBytes.add(count);
  }

  /** A thread waits for an answer from the gateway. */
  public void roundTrip() {
    roundTrips.increment();
  }

  /** A lookup was answered here. */
  public void lookupAnswered() {
    lookups.increment();
  }

  /** A dirty or clean call was answered here. */
  public void leaseCallAnswered() {
    leaseCalls.increment();
  }

  /** The number of held references has changed. */
  public void leasesChanged(int by) {
    leases.add(by);
  }

  /** An inner JVM has called an object of this one, and is answered. */
  public void calledBack() {
    callbacks.increment();
  }

  /** The number of callback ports has changed. */
  public void callbackPortsChanged(int by) {
    callbackPorts.add(by);
  }

  /** A new session's gateway does not listen at a port that stubs of this JVM name. */
  public void callbackPortLost() {
    callbackPortsLost.increment();
  }

  /** A connection is opaque: the cost of plain RMI for it is not known. */
  public void opaqueConnection() {
    opaqueConnections.increment();
  }

  /** Bytes have passed on an opaque connection. */
  public void opaqueBytes(int count) {
    opaqueBytes.add(count);
  }

  /** A link has been opened, or is about to be. */
  public void linkOpened(LinkTraffic.Meter link) {
    links.lock();
    try {
      open.add(link);
    } finally {
      links.unlock();
    }
  }

  /** A link has ended and carries nothing any more. Idempotent. */
  public void linkEnded(LinkTraffic.Meter link) {
    links.lock();
    try {
      if (open.remove(link)) {
        ended = ended.plus(link.traffic());
      }
    } finally {
      links.unlock();
    }
  }

  private LinkTraffic traffic() {
    links.lock();
    try {
      LinkTraffic all = ended;
      for (LinkTraffic.Meter link : open) {
        all = all.plus(link.traffic());
      }
      return all;
    } finally {
      links.unlock();
    }
  }

  /** All sums. Not at one instant while others count, but never less than before it was asked. */
  public Sums sums() {
    return new Sums(
        connections.sum(),
        pings.sum(),
        needlessPings.sum(),
        calls.sum(),
        plainBytes.sum(),
        roundTrips.sum(),
        lookups.sum(),
        leaseCalls.sum(),
        leases.sum(),
        callbacks.sum(),
        callbackPorts.sum(),
        callbackPortsLost.sum(),
        opaqueConnections.sum(),
        opaqueBytes.sum(),
        traffic());
  }
}
