package io.rmigate.gateway.audit;

/**
 * Where the parts of the gateway say what is to be audited. Called on hot paths and under locks:
 * implementations are thread-safe, never block, never fail, and wake no thread for each entry.
 */
public interface AuditTrail {

  /** Keeps nothing. */
  AuditTrail OFF =
      new AuditTrail() {
        @Override
        public boolean records(AuditEvent event) {
          return false;
        }

        @Override
        public void add(AuditEntry entry) {}
      };

  /** Whether entries of that kind are kept; asked first where it is work to make one. */
  boolean records(AuditEvent event);

  /**
   * Adds an entry, which must not be changed afterwards. An entry of an event that is not recorded
   * is dropped.
   */
  void add(AuditEntry entry);

  /**
   * Takes an entry of which there may be any number while nothing can be written; it is lost before
   * it takes room that others may need.
   */
  default void addLeast(AuditEntry entry) {
    add(entry);
  }

  /**
   * Whether nothing new may be let in, since what is done could not be audited now ({@code
   * audit.when-full: refuse}).
   */
  default boolean refusesWork() {
    return false;
  }
}
