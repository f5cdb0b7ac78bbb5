package io.rmigate.gateway.edge;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Answers GET and HEAD, and nothing else unless a subclass does. */
abstract class ReadOnlyServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  protected final void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (request.getMethod().equals("GET") || request.getMethod().equals("HEAD")) {
      answer(request, response);
    } else {
      answerChange(request, response);
    }
  }

  /** Answers another method than GET and HEAD: 405. */
  void answerChange(HttpServletRequest request, HttpServletResponse response) throws IOException {
    response.setHeader("Allow", "GET, HEAD");
    Answers.send(response, 405, Answers.TEXT, "only GET\n");
  }

  /** Called by a thread of the container; the body of an answer to HEAD is dropped by it. */
  abstract void answer(HttpServletRequest request, HttpServletResponse response) throws IOException;

  /**
   * The path below the servlet's mapping, without a trailing slash; empty at the mapping itself.
   */
  static String below(HttpServletRequest request) {
    String path = request.getPathInfo();
    return path == null || path.equals("/") ? "" : path;
  }
}
