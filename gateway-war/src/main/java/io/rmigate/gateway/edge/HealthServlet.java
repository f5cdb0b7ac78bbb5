package io.rmigate.gateway.edge;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;

/**
 * {@code /health/live}: the process answers. {@code /health/ready} and {@code /health}: 200 while
 * new links are welcome, else 503. Open to everybody and therefore without any detail.
 */
public final class HealthServlet extends ReadOnlyServlet {
  private static final long serialVersionUID = 1L;

  private final transient Readiness readiness;

  /** Shows {@code readiness}. */
  public HealthServlet(Readiness readiness) {
    this.readiness = readiness;
  }

  @Override
  void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
    switch (below(request)) {
      case "/live" -> Answers.send(response, 200, Answers.JSON, "{\"status\":\"live\"}\n");
      case "", "/ready" -> {
        Readiness.Phase phase = readiness.phase();
        Answers.send(
            response,
            phase == Readiness.Phase.READY ? 200 : 503,
            Answers.JSON,
            "{\"status\":\"" + phase.name().toLowerCase(Locale.ROOT) + "\"}\n");
      }
      default -> Answers.send(response, 404, Answers.TEXT, "not found\n");
    }
  }
}
