package io.rmigate.client.deadline;

import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.CallHeader;
import java.time.Duration;
import java.util.List;

/**
 * Which bound a call has: the thread's scope first, then the rules of the configuration. Knows of
 * objects which interfaces their stubs have, as far as a rule asks for that. Thread-safe.
 */
public final class Deadlines {
  /** Without a rule: only scopes bound. */
  public static final Deadlines NO_RULES = new Deadlines(CallTimeouts.NONE);

  private final CallTimeouts rules;
  private final ObjectInterfaces interfaces = new ObjectInterfaces();

  /** Keeps these rules. */
  public Deadlines(CallTimeouts rules) {
    this.rules = rules;
  }

  /** Whether a call of this thread may have a bound. */
  public boolean mayApply() {
    return !rules.isEmpty() || CallTimeout.current() != null;
  }

  /** The clock of a connection that is to be made for a call of which nothing else is known. */
  public CallClock connecting(String host, int port, long startNanos) {
    Duration scope = CallTimeout.current();
    return CallClock.of(
        host + ":" + port, startNanos, scope == null ? rules.longest(host, port) : scope);
  }

  /**
   * The clock of a message.
   *
   * @param message its beginning; a Call up to its ObjID at least
   */
  public CallClock calling(String host, int port, byte[] message, int length, long startNanos) {
    Duration scope = CallTimeout.current();
    return CallClock.of(
        host + ":" + port,
        startNanos,
        scope == null ? rules.limit(host, port, namesOf(message, length)) : scope);
  }

  private List<String> namesOf(byte[] message, int length) {
    return rules.interfaces().isEmpty()
        ? List.of()
        : CallHeader.decode(message, 0, length)
            .map(CallHeader::object)
            .map(interfaces::of)
            .orElse(List.of());
  }

  /** Whether the proxies in Returns have to be known. */
  public boolean askForInterfaces() {
    return !rules.interfaces().isEmpty();
  }

  /** A stub with these interfaces has come. */
  public void learn(ObjIdentifier object, List<String> itsInterfaces) {
    interfaces.learn(object, itsInterfaces);
  }
}
