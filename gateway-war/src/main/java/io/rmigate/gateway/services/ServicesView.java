package io.rmigate.gateway.services;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** A view of the web-service front for the admin JSON. */
public interface ServicesView {

  /** A snapshot. */
  Snapshot services();

  /** Calls that wait for a remote object; each since it was called, in no order. */
  Stream<CallView> waitingCalls();

  /**
   * All of it.
   *
   * @param bodyBytes of the requests in progress, as far as they have been read
   */
  record Snapshot(
      List<EntryView> published, List<CallView> calls, List<HandleView> handles, long bodyBytes) {}

  /**
   * An entry of the configuration.
   *
   * @param object in its registry
   * @param state "published", "failed", or "stale": what was published before still is
   * @param reason why it is not as the configuration says; empty if it is
   * @param operations of the published interface and of those to which it gives references
   * @param refusals what could not be mapped
   */
  record EntryView(
      String path,
      String object,
      String interfaceName,
      List<String> principals,
      String state,
      String reason,
      List<String> operations,
      List<String> refusals) {}

  /** A request in progress. */
  record CallView(long ageMillis, String principal, String path, String operation) {}

  /**
   * A reference held for a client.
   *
   * @param number counts handles since the start; the handle itself is its owner's secret
   * @param server where the object is
   * @param object by its number there
   */
  record HandleView(
      long number,
      String principal,
      String path,
      String interfaceName,
      String server,
      String object,
      Instant since,
      Instant expires) {}
}
