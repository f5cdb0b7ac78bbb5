package io.rmigate.gateway.callback;

import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.JudgedMessage;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.policy.RefusalLine;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.quota.Share;
import io.rmigate.gateway.relay.RelayLoop;
import io.rmigate.gateway.scan.SeenReference;
import io.rmigate.protocol.tunnel.Frame;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.slf4j.Logger;

/** The session of callbacks, as far as they need it. Thread-safe. */
public interface CallbackLink {

  /** The session's public identifier. */
  String session();

  /** The principal of the session. */
  Principal principal();

  /** The loop of the session's connections. */
  RelayLoop loop();

  /** Queues a frame. Under locks of callbacks. */
  void add(Frame frame);

  /**
   * Queues payload. Under locks of callbacks.
   *
   * @return the batch it leaves with, for {@link #hasRoom}
   */
  long addData(int stream, ByteBuffer bytes);

  /**
   * Whether payload may be queued now; otherwise {@code whenRoom} is called once there is room.
   *
   * @param lastBatch with which the stream has sent last; at first {@link #NO_BATCH}
   */
  boolean hasRoom(long lastBatch, Runnable whenRoom);

  /** Whether payload has to wait before it may be queued. Under locks of callbacks. */
  boolean isFull();

  /** The batch of one that has sent nothing yet. */
  long NO_BATCH = -1;

  /** Asks for a flush at the end of the round, of the relay or of the edge. Under locks. */
  void flush();

  /** Sends queued frames now. Without locks. */
  void send();

  /**
   * Does something once all DIRTYs so far have succeeded or failed once, perhaps within the call.
   * Without locks.
   */
  void behindDirties(Runnable then);

  /** Whether calls may be made for this session: its login holds. */
  boolean takesCalls();

  /**
   * Whether the agent may ask for ports: its login holds, and it has not left for another gateway.
   */
  boolean takesListeners();

  /** Whether the principal of the session is locked out. */
  boolean isLockedOut();

  /** The rules of what inner JVMs send to the agent's. */
  CallRules rules();

  /** Room for what is held to be looked into. */
  Share heldBytes();

  /**
   * A Return of the agent's JVM, judged by the rules and the known references in force now. Empty
   * when the rules look into no Return.
   */
  Optional<JudgedMessage> answer();

  /** An inner JVM has handed out that reference. */
  void onReceived(SeenReference seen);

  /** An answer of the agent's JVM was refused. Under locks of callbacks. */
  void onRefused(Objection objection);

  /**
   * Writes a log line that the session's principal can cause at will, within the bounds for such
   * lines.
   */
  default void warn(Logger log, String text, Object... arguments) {
    log.warn(text, arguments);
  }

  /**
   * Writes the log line of a refusal, within the bounds for such lines.
   *
   * @param target host and port, fit for a log
   * @param what was refused, such as a call and its method
   */
  default void warnRefused(Logger log, Refusal refusal, String target, String what) {
    warn(
        log,
        "{}",
        new RefusalLine(target, what, principal().toString(), refusal, session(), "its link"));
  }

  /** A port was refused for which the client's JVM has asked by its number. */
  void learnPort(int port);

  /** Whether the audit records that event. */
  default boolean records(AuditEvent event) {
    return false;
  }

  /** The name of a method, for people; empty when no jar names it. */
  default String methodName(long hash) {
    return "";
  }

  /** An audit entry with the data of the session. */
  default AuditEntry entry(AuditEvent event) {
    return AuditEntry.of(event);
  }

  /** Adds an entry to the audit. */
  default void audit(AuditEntry entry) {}

  /** The bytes per stream that the agent takes at first. */
  int agentCredit();

  /** The bytes per stream that the gateway takes at first. */
  int gatewayCredit();
}
