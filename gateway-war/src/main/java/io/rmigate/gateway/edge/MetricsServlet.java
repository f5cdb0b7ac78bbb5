package io.rmigate.gateway.edge;

import io.rmigate.gateway.metrics.GatewayMetrics;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** {@code /metrics} in Prometheus' text format, for admins unless the configuration opens it. */
public final class MetricsServlet extends ReadOnlyServlet {
  private static final long serialVersionUID = 1L;

  private final transient GatewayMetrics metrics;
  private final transient AdminDoor door;

  /** Shows {@code metrics}. */
  public MetricsServlet(GatewayMetrics metrics, AdminDoor door) {
    this.metrics = metrics;
    this.door = door;
  }

  @Override
  void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
    if (!below(request).isEmpty()) {
      Answers.send(response, 404, Answers.TEXT, "not found\n");
    } else if (door.metricsAreOpen() || door.letsIn(request, response)) {
      Answers.send(response, 200, GatewayMetrics.CONTENT_TYPE, metrics.scrape());
    }
  }
}
