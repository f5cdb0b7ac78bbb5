package io.rmigate.client.callback;

import io.rmigate.client.link.Link;
import io.rmigate.protocol.ProtocolViolationException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The listeners that one session's gateway has been told of, by their numbers there. Guarded by the
 * lock of {@link Callbacks}.
 */
final class SessionListeners {
  private final Link link;
  private final Map<Long, Announcement> byNumber = new HashMap<>();
  private long lastNumber;

  SessionListeners(Link link) {
    this.link = link;
  }

  /** A number for a listener; to be sent under the lock. */
  Announcement add(Listener listener) {
    Announcement added = new Announcement(link, ++lastNumber, listener);
    byNumber.put(added.number(), added);
    return added;
  }

  /**
   * The listener of that number; null when it has been withdrawn.
   *
   * @throws ProtocolViolationException the number was never given out
   */
  Announcement get(long number) throws ProtocolViolationException {
    if (number > lastNumber) {
      throw new ProtocolViolationException(
          "expected a listener up to " + lastNumber + ", got " + number);
    }
    return byNumber.get(number);
  }

  void remove(Announcement gone) {
    byNumber.remove(gone.number());
  }

  List<Announcement> all() {
    return List.copyOf(byNumber.values());
  }
}
