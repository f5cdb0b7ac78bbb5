package io.rmigate.gateway.lease;

import java.util.List;

/**
 * The leases of one session, for people: an immutable snapshot.
 *
 * @param session its public identifier
 * @param state LIVE, GRACE (the session has ended, its agent may come back) or CLEANING
 * @param waitingAcks DgcAcks that wait for leases
 */
public record LeaseView(String session, String state, int waitingAcks, List<Row> endpoints) {

  /** State of the session of leases. */
  public enum State {
    LIVE,
    GRACE,
    CLEANING
  }

  /**
   * The leases at one endpoint.
   *
   * @param held objects on which the server has granted a lease
   * @param inDoubt objects whose lease may have ended or never begun; it is asked for again
   * @param waiting objects that wait for a dirty or a clean
   * @param grantedMillis what the server grants; 0 until it has
   * @param renewalInMillis until the next renewal; 0 when it is due, -1 when none is to come
   * @param failures failed calls since the last that went well
   * @param lastFailure may be empty
   */
  public record Row(
      String endpoint,
      int held,
      int inDoubt,
      int waiting,
      long grantedMillis,
      long renewalInMillis,
      int failures,
      String lastFailure) {}
}
