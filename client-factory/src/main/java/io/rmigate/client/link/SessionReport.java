package io.rmigate.client.link;

import io.rmigate.client.stats.UsageCounters;
import io.rmigate.protocol.tunnel.Report;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The report of a session to the gateway: the JVM's usage since the session began, sent whenever it
 * has changed. A JVM that does nothing reports nothing. While a session drains beside another
 * session, the other session reports the JVM's usage. Thread-safe.
 */
final class SessionReport {
  private final UsageCounters account;

  /** Guards the rest. That of a session that drains is taken before that of the one after it. */
  private final ReentrantLock lock = new ReentrantLock();

  private UsageCounters.Sums atBeginning;
  private Report last = Report.NOTHING;
  private boolean over;

  SessionReport(UsageCounters account) {
    this.account = account;
    this.atBeginning = account.sums();
  }

  /** The report to send now; empty when it equals the latest one, or another session reports. */
  Optional<Report> whatChanged() {
    lock.lock();
    try {
      return over ? Optional.empty() : changed(report(account.sums()));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Lets the other session report from now on; the leases count there.
   *
   * @return the last report of this session; empty when nothing has changed
   */
  Optional<Report> handOver(SessionReport next) {
    lock.lock();
    try {
      UsageCounters.Sums now = account.sums();
      next.begin(now);
      over = true;
      return changed(report(now).withoutLeases());
    } finally {
      lock.unlock();
    }
  }

  private void begin(UsageCounters.Sums now) {
    lock.lock();
    try {
      atBeginning = now;
    } finally {
      lock.unlock();
    }
  }

  private Optional<Report> changed(Report now) {
    if (now.equals(last)) {
      return Optional.empty();
    }
    last = now;
    return Optional.of(now);
  }

  private Report report(UsageCounters.Sums now) {
    return new Report(
        now.plainRoundTrips() - atBeginning.plainRoundTrips(),
        now.plainBytes() - atBeginning.plainBytes(),
        now.roundTrips() - atBeginning.roundTrips(),
        now.lookups() - atBeginning.lookups(),
        now.leaseCalls() - atBeginning.leaseCalls(),
        now.connections() + now.pings() - atBeginning.connections() - atBeginning.pings(),
        Math.max(0, now.leases()));
  }
}
