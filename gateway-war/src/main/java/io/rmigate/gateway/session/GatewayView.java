package io.rmigate.gateway.session;

import io.rmigate.gateway.lease.LeaseView;
import io.rmigate.gateway.lookup.WatchedView;
import java.time.Instant;
import java.util.List;

/**
 * What the admin JSON and the metrics may see: immutable snapshots, taken without stopping anyone.
 */
public interface GatewayView {

  /** One snapshot per live session, oldest first. */
  List<SessionView> sessions();

  /** What is held for agents, one snapshot per session that holds something or just did. */
  List<LeaseView> leaseTable();

  /** One row for each name in a registry that is watched. */
  List<WatchedView> watchedNames();

  /** One snapshot per target that has been used since the start. */
  List<TargetView> targets();

  /**
   * A tunnel session.
   *
   * @param id public identifier, not the session's secret
   * @param peer address the link comes from
   * @param client what the agent says of itself: product version, JVM
   * @param bytesFromAgent as they came, coded or not
   * @param bytesToAgent likewise
   * @param saved what the agent says that it has saved
   */
  record SessionView(
      String id,
      String principal,
      String login,
      String peer,
      String client,
      Instant since,
      long bytesFromAgent,
      long bytesToAgent,
      long calls,
      CodingView coding,
      Saved saved,
      List<StreamView> streams) {}

  /**
   * A session's compression.
   *
   * @param name what was agreed on; {@code identity} means none
   * @param on whether the gateway codes what it sends now; the agent decides for itself
   */
  record CodingView(String name, boolean on, CodedView fromAgent, CodedView toAgent) {}

  /**
   * What has crossed a link coded, in one direction.
   *
   * @param ratio coded by uncoded, to three digits; 1 when nothing was coded
   */
  record CodedView(long uncodedBytes, long codedBytes, double ratio) {}

  /**
   * A stream: one tunnelled JRMP connection. {@code state} is a word of the relay's state machine.
   */
  record StreamView(
      int id, String target, String state, long calls, long bytesToServer, long bytesToClient) {}

  /** Totals of one target since the start of the gateway. {@code lastFailure} may be empty. */
  record TargetView(
      String target,
      int connections,
      long calls,
      long refused,
      long failures,
      String lastFailure) {}
}
