package io.rmigate.perf.relay;

import io.rmigate.perf.harness.JettyLikeTheGateways;
import java.util.concurrent.CountDownLatch;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.ee10.websocket.jakarta.server.config.JakartaWebSocketServletContainerInitializer;

/**
 * The relay's server side.
 *
 * <pre>
 * DoNothingRelay HOST [basic|async]   HOST: where the RMI servers are; how to send to WebSockets
 * </pre>
 *
 * <p>Prints {@code relay ready <port>} and runs until it is ended.
 */
public final class DoNothingRelay {
  private DoNothingRelay() {}

  /** See the class comment. */
  public static void main(String[] args) throws Exception {
    boolean async = args.length > 1 && args[1].equals("async");
    int port = JettyLikeTheGateways.start(context -> fill(context, args[0], async));
    System.out.println("relay ready " + port);
    new CountDownLatch(1).await();
  }

  private static void fill(ServletContextHandler context, String host, boolean async) {
    JakartaWebSocketServletContainerInitializer.configure(
        context, (servletContext, container) -> container.setDefaultMaxSessionIdleTimeout(0));
    context.addServlet(new ServletHolder(new RelayServlet(host, async)), RelayServlet.PATTERN);
  }
}
