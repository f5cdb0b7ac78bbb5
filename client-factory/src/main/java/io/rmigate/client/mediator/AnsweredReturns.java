package io.rmigate.client.mediator;

import io.rmigate.client.link.Link;
import io.rmigate.protocol.jrmp.UniqueIdentifier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Returns that the JVM has got as answers to lookups and has not acknowledged yet. It acknowledges
 * each answer once, by the UID in the Return, when the leases on what it got are in place. Until
 * then the gateway must keep its own lease, so that only now it may hear that a binding is
 * forgotten.
 *
 * <p>Bounded: of the oldest nothing is expected any more. Guarded by the lock of {@link Lookups}.
 */
final class AnsweredReturns {
  static final int MAX = 4096;

  private static final class Answers {
    private int unacknowledged;

    /** Bindings with this Return with which no lookup is answered any more. */
    private final List<HeldBinding> over = new ArrayList<>(1);
  }

  private final LinkedHashMap<UniqueIdentifier, Answers> byUid = new LinkedHashMap<>();

  /**
   * The JVM gets the Return of a binding.
   *
   * @return what becomes forgotten by that
   */
  List<HeldBinding> add(HeldBinding binding) {
    Answers known = byUid.remove(binding.acknowledge());
    Answers answers = known == null ? new Answers() : known;
    answers.unacknowledged++;
    byUid.put(binding.acknowledge(), answers);
    if (byUid.size() <= MAX) {
      return List.of();
    }
    UniqueIdentifier eldest = byUid.keySet().iterator().next();
    return byUid.remove(eldest).over;
  }

  /** Whether the JVM has got a Return with this UID and will acknowledge it. */
  boolean contains(UniqueIdentifier uid) {
    return byUid.containsKey(uid);
  }

  /**
   * The JVM has acknowledged one answer, or has never got it.
   *
   * @return what becomes forgotten by that
   */
  List<HeldBinding> settle(UniqueIdentifier uid) {
    Answers answers = byUid.get(uid);
    if (answers == null || --answers.unacknowledged > 0) {
      return List.of();
    }
    byUid.remove(uid);
    return answers.over;
  }

  /**
   * No lookup is answered with this binding any more.
   *
   * @return whether it is forgotten already
   */
  boolean end(HeldBinding binding) {
    Answers answers = byUid.get(binding.acknowledge());
    if (answers == null) {
      return true;
    }
    answers.over.add(binding);
    return false;
  }

  /** Drops the bindings of a link that has ended, because its gateway cannot be told about them. */
  void forget(Link link) {
    byUid.values().forEach(answers -> answers.over.removeIf(binding -> binding.link() == link));
  }
}
