package io.rmigate.gateway.edge;

import io.rmigate.gateway.metrics.GatewayMetrics;
import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.view.GatewayView;
import io.rmigate.gateway.view.HungCalls;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/** The answer to {@code GET /admin}: version, state and totals of this gateway. */
public final class GatewayOverview {
  private final GatewayMetrics metrics;
  private final HungCalls calls;
  private final Readiness readiness;
  private final Supplier<ClassMode> classRules;

  /**
   * @param classRules the mode in force
   */
  public GatewayOverview(
      GatewayMetrics metrics,
      HungCalls calls,
      Readiness readiness,
      Supplier<ClassMode> classRules) {
    this.metrics = metrics;
    this.calls = calls;
    this.readiness = readiness;
    this.classRules = classRules;
  }

  Map<String, Object> view() {
    Map<String, Object> overview = new LinkedHashMap<>();
    overview.put("version", GatewayVersion.CURRENT);
    overview.put("java", System.getProperty("java.version"));
    overview.put("state", readiness.phase().name().toLowerCase(Locale.ROOT));
    overview.put("uptimeSeconds", ManagementFactory.getRuntimeMXBean().getUptime() / 1000);
    overview.put("classRules", classRules.get().name().toLowerCase(Locale.ROOT));
    overview.put("sessions", metrics.sessionsOpen());
    overview.put("streams", metrics.streamsOpen());
    overview.put("leases", metrics.leases());
    overview.put("calls", metrics.calls());
    overview.put("links", links());
    overview.put("saved", metrics.saved());
    overview.put("callsHung", calls.count());
    overview.put("callbacks", metrics.callbacks());
    overview.put("refused", metrics.refused());
    return overview;
  }

  private Map<String, Object> links() {
    GatewayMetrics.LinkTotals totals = metrics.links();
    Map<String, Object> links = new LinkedHashMap<>();
    links.put("bytesFromAgents", totals.bytesFromAgents());
    links.put("bytesToAgents", totals.bytesToAgents());
    links.put("coded", GatewayView.CodedView.of(totals.coded()));
    return links;
  }
}
