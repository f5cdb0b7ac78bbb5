package io.rmigate.client.link;

import io.rmigate.client.stats.Account;
import io.rmigate.protocol.tunnel.Report;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What the gateway is told of a session: the JVM's account since the session began, whenever it has
 * changed. A JVM that does nothing reports nothing. Thread-safe.
 */
final class SessionReport {
  private final Account account;
  private final Account.Sums atBeginning;
  private final ReentrantLock lock = new ReentrantLock();
  private Report last = Report.NOTHING;

  SessionReport(Account account) {
    this.account = account;
    this.atBeginning = account.sums();
  }

  /** What to send now; empty when that has been said already. */
  Optional<Report> whatChanged() {
    lock.lock();
    try {
      Report now = report();
      if (now.equals(last)) {
        return Optional.empty();
      }
      last = now;
      return Optional.of(now);
    } finally {
      lock.unlock();
    }
  }

  private Report report() {
    Account.Sums now = account.sums();
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
