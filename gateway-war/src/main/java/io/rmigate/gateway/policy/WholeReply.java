package io.rmigate.gateway.policy;

import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.scan.ScanResult;
import io.rmigate.gateway.scan.SeenReference;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A complete Return that is sent to several sessions. The same rules judge it once for all of
 * these. Thread-safe; judging holds a lock of its own.
 */
public final class WholeReply {

  /**
   * What rules say of it.
   *
   * @param objections what speaks against it
   * @param references it hands out; empty where it is not looked into
   * @param message as it goes on; not to be changed
   */
  @SuppressWarnings("ArrayRecordComponent") // wire bytes: identity, not value
  public record Verdict(
      List<Objection> objections, List<SeenReference> references, byte[] message) {}

  private final byte[] message;
  private final Verdict unseen;
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by lock. Rules of which a reload has left nothing else are forgotten here, too. */
  private final Map<CallRules, Verdict> verdicts = new WeakHashMap<>(2);

  /**
   * @param message belongs to this from here on
   */
  public WholeReply(byte[] message) {
    this.message = message;
    this.unseen = new Verdict(List.of(), List.of(), message);
  }

  /** The bytes of the reply, as they came; not to be changed. */
  public byte[] message() {
    return message;
  }

  /** The verdict of these rules about the reply. The first call for a set of rules takes time. */
  public Verdict by(CallRules rules) {
    if (!rules.looks()) {
      return unseen;
    }
    lock.lock();
    try {
      return verdicts.computeIfAbsent(rules, this::judge);
    } finally {
      lock.unlock();
    }
  }

  /** The place of an objection's subject in the reply, for people; empty if not known. */
  public String place(CallRules rules, Objection objection) {
    return rules.placeInReply(objection, message);
  }

  private Verdict judge(CallRules rules) {
    ScanResult seen = rules.scanner().reply(message, 0, message.length);
    return new Verdict(
        rules.reply(seen),
        List.copyOf(seen.references()),
        rules.enforces() ? seen.dropped().without(message) : message);
  }
}
