package io.rmigate.gateway.lease;

import io.rmigate.gateway.policy.Refusal;
import io.rmigate.protocol.LogText;
import io.rmigate.protocol.jrmp.EndpointId;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the leases that are refused to one session, and logs and audits each endpoint once. {@code
 * SessionLeases.lock} guards everything.
 */
final class LeaseRefusals {
  /** How it is counted and audited. */
  private static final String NOT_PERMITTED = "lease-target";

  private static final Logger LOG = LoggerFactory.getLogger(SessionLeases.class);

  /** Endpoints of which the log says that references to their objects are not held. */
  private static final int MAX_LOGGED = 100;

  private final SessionLeases leases;
  private final LeaseRoutes routes;
  private final Set<EndpointId> logged = new HashSet<>();
  private boolean limitLogged;

  LeaseRefusals(SessionLeases leases, LeaseRoutes routes) {
    this.leases = leases;
    this.routes = routes;
  }

  /** More is asked for than the limits allow; the first time is logged. */
  void onOverLimit(LeaseSettings settings) {
    leases.meters().refused("lease-limit");
    if (!limitLogged) {
      limitLogged = true;
      LOG.warn(
          "{}: more references than leases.max-objects ({}), leases.max-objects-per-principal ({})"
              + " or leases.max-endpoints ({}) allow; those beyond are not held",
          leases,
          settings.maxObjects(),
          settings.maxObjectsPerPrincipal(),
          settings.maxEndpoints());
    }
  }

  /** Objects at an endpoint are not held, or a server is not told; logged once. */
  void refused(EndpointId endpoint) {
    leases.meters().refused(NOT_PERMITTED);
    if (logged.size() >= MAX_LOGGED || !logged.add(endpoint)) {
      return;
    }
    Refusal refusal = refusal(endpoint, LogText.of(endpoint.toString()));
    if (!routes.onRefused(endpoint, NOT_PERMITTED, refusal)) {
      LOG.warn(
          "{}: objects at {} are not held: {}; refusal {}",
          leases,
          LogText.of(endpoint.toString()),
          refusal.explanation(),
          refusal.number());
    }
  }

  private Refusal refusal(EndpointId endpoint, String target) {
    if (routes.isAmbiguous(endpoint)) {
      return Refusal.of(
          "several servers call themselves "
              + target
              + "; the gateway holds no lease of an object while it does not know which one has"
              + " handed it out",
          "set java.rmi.server.hostname at these servers");
    }
    if (routes.target(endpoint, Optional.empty()).isPresent()) {
      return Refusal.of(
          "this session has not received these objects from a server",
          "who has stubs by other ways than this gateway needs \"received-objects: false\" in a"
              + " targets entry");
    }
    return Refusal.of(
        "target " + target, "to allow it add \"allow: ['" + target + "']\" to a targets entry");
  }
}
