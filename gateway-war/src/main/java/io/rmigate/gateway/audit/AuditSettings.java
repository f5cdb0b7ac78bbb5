package io.rmigate.gateway.audit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * The settings of the audit.
 *
 * @param path of the file that is written; rotated ones lie beside it
 * @param rotateBytes a file that is about to grow beyond that is rotated
 * @param rotateAge one whose first line is older, too
 * @param keep the number of rotated files
 * @param chain whether each line carries the hash of the one before
 * @param events that are kept
 * @param whenFull whether calls are refused while nothing can be written
 */
public record AuditSettings(
    Path path,
    long rotateBytes,
    Duration rotateAge,
    int keep,
    boolean chain,
    Set<AuditEvent> events,
    WhenFull whenFull) {

  /** While lines cannot be written, be it that the disk is full. */
  public enum WhenFull {
    /** Work goes on; lines that find no room in memory either are lost, and counted. */
    CONTINUE,
    /** Lines that find no room in memory are lost, and counted; nothing new is let in. */
    REFUSE
  }

  public AuditSettings {
    events = Set.copyOf(events);
  }

  boolean keeps(AuditEvent event) {
    return event == AuditEvent.AUDIT || events.contains(event);
  }
}
