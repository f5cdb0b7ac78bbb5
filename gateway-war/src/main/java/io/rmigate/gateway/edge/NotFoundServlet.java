package io.rmigate.gateway.edge;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Mapped to {@code /} and {@code *.jsp}, in the place of the container's own servlets: no file of
 * the WAR, no class and no listing is ever served, and no page is ever compiled.
 */
public final class NotFoundServlet extends ReadOnlyServlet {
  private static final long serialVersionUID = 1L;

  @Override
  void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
    Answers.send(
        response,
        404,
        Answers.TEXT,
        "This is an rmigate gateway: it carries Java RMI over HTTPS. There is no page here.\n");
  }
}
