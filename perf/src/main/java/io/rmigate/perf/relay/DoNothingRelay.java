package io.rmigate.perf.relay;

import java.util.concurrent.CountDownLatch;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.ee10.websocket.jakarta.server.config.JakartaWebSocketServletContainerInitializer;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * The relay's server side; set up as {@code io.rmigate.gateway.standalone.EmbeddedServer} is, which
 * is the reference for every number here.
 *
 * <pre>
 * DoNothingRelay HOST [basic|async]   HOST: where the RMI servers are; how to send to WebSockets
 * </pre>
 *
 * <p>Prints {@code relay ready <port>} and runs until it is ended.
 */
public final class DoNothingRelay {
  private static final int MAX_THREADS = 64;
  private static final int HEADER_BYTES = 16 * 1024;

  private DoNothingRelay() {}

  /** See the class comment. */
  public static void main(String[] args) throws Exception {
    boolean async = args.length > 1 && args[1].equals("async");
    System.out.println("relay ready " + start(args[0], async));
    new CountDownLatch(1).await();
  }

  private static int start(String host, boolean async) throws Exception {
    QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS, 4);
    threads.setName("relay-http");
    threads.setDaemon(true);
    Server server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setSendXPoweredBy(false);
    http.setRequestHeaderSize(HEADER_BYTES);
    http.setResponseHeaderSize(HEADER_BYTES);
    int selectors = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    ServerConnector connector =
        new ServerConnector(server, 1, selectors, new HttpConnectionFactory(http));
    connector.setHost("127.0.0.1");
    connector.setPort(0);
    connector.setAcceptQueueSize(1024);
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler();
    context.setContextPath("/");
    JakartaWebSocketServletContainerInitializer.configure(
        context, (servletContext, container) -> container.setDefaultMaxSessionIdleTimeout(0));
    context.addServlet(new ServletHolder(new RelayServlet(host, async)), RelayServlet.PATTERN);
    server.setHandler(context);
    server.start();
    return connector.getLocalPort();
  }
}
