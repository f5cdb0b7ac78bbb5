package io.rmigate.gateway.edge;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * {@code POST /admin/drain}: takes the gateway out of service in good order and answers when that
 * is done, for an operator who is about to stop a container that knows nothing of it. There is no
 * way back but a start.
 *
 * <p>A container that ends its servlets while connections still live (Tomcat) needs no such request
 * when it stops: the end of this servlet drains, too. One that closes its connections first (Jetty)
 * finds no session with a link any more.
 */
public final class DrainServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final transient Runnable drain;
  private final transient AdminDoor door;
  private final boolean atTheEnd;

  /**
   * Lets those in whom {@code door} does.
   *
   * @param drain waits for what is in flight, bounded; may be called again, also meanwhile
   * @param atTheEnd whether the end of this servlet is the first that is heard of a stop
   */
  public DrainServlet(Runnable drain, AdminDoor door, boolean atTheEnd) {
    this.drain = drain;
    this.door = door;
    this.atTheEnd = atTheEnd;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (!request.getMethod().equals("POST")) {
      response.setHeader("Allow", "POST");
      Answers.send(response, 405, Answers.TEXT, "only POST\n");
      return;
    }
    if (door.changing(request, response).isPresent()) {
      drain.run();
      Answers.send(response, 200, Answers.JSON, "{\"status\":\"drained\"}\n");
    }
  }

  @Override
  public void destroy() {
    if (atTheEnd) {
      drain.run();
    }
  }
}
